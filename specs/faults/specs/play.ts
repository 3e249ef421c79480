import { Effect } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import { kindOf } from '../../../crds/kinds.ts';
import { structural } from '../../../crds/schema.ts';
import { asSeen, type WriteError } from '../../../runtime/services/cluster/cluster.ts';
import { crashesIn } from '../environment/logged.ts';
import { differences } from '../environment/snapshot.ts';
import { asCreated } from './asCreated.ts';
import { withUnknown } from './broken.ts';
import { accumulates, outlives } from './legit.ts';
import { lost, mergeFrom } from './merge.ts';
import { type ActedOn, good, objectOf } from './platform.ts';
import { makeSpecEnvironment, type SpecEnvironment } from './specEnvironment.ts';
import type { Fixture, Step, Way } from './step.ts';

/** The number of passes within which an accepted spec converges, including the passes of its builds. */
const mostPasses = 150;

/** The violations, as text. */
type Wrong = readonly string[];

const specOf = (object: KubeObject | undefined): unknown => (object as { readonly spec?: unknown } | undefined)?.spec;
const isRefusal = (failure: WriteError): boolean =>
  failure._tag === 'Conflict' || (failure._tag === 'Refused' && [400, 422].includes(failure.status));
const textOf = (failure: WriteError): string => (failure._tag === 'Refused' ? failure.message : failure._tag);

const changeOf: Readonly<Record<Fixture, object>> = {
  uid: { metadata: { uid: 'of-another' } },
  name: { metadata: { name: 'another' } },
  kind: { kind: 'Another' },
  apiVersion: { apiVersion: 'core.platform/v9' },
  resourceVersion: { metadata: { resourceVersion: '1' } },
};

/** Writes a spec in one of the ways; a refused spec must not cost the object that it was to replace. */
function writing(
  { environment: { cluster }, resource, object }: SpecEnvironment,
  kind: ActedOn,
  way: Way,
  spec: unknown,
) {
  const { name } = good[kind];
  const stored = object(name);
  if (!stored) return cluster.create(resource, objectOf(kind, { name, spec }));
  if (way === 'recreate')
    return Effect.andThen(
      cluster.create(resource, objectOf(kind, { name: `${name}-tried`, spec })),
      Effect.gen(function* () {
        yield* cluster.remove(resource, { name: `${name}-tried` });
        yield* cluster.remove(resource, { name });
        // What has a finalizer goes when its controller let it go.
        if (!object(name)) yield* cluster.create(resource, objectOf(kind, { name, spec }));
      }),
    );
  const patch = { spec: mergeFrom(specOf(stored), spec) };
  return cluster.patch(resource, { name }, patch, way === 'replace' ? asSeen(stored) : {});
}

const refused = (
  specEnvironment: SpecEnvironment,
  name: string,
  write: Effect.Effect<unknown, WriteError>,
  field: string,
): Wrong => {
  const before = JSON.stringify(specEnvironment.object(name));
  const failure = specEnvironment.write(write);
  if (failure === null) return [`is accepted, though ${field} is wrong`];
  return [
    ...(isRefusal(failure) ? [] : [`is refused with ${failure._tag} ${textOf(failure)}`]),
    ...(failure._tag !== 'Refused' || textOf(failure).includes(field)
      ? []
      : [`is refused without a word of ${field}: ${textOf(failure)}`]),
    ...(JSON.stringify(specEnvironment.object(name)) === before ? [] : ['is refused, and the object is another one']),
  ];
};

/** A valid spec, as far as the stored one may change into it; the rest is returned as text. */
function writable(
  specEnvironment: SpecEnvironment,
  kind: ActedOn,
  way: Way,
  spec: unknown,
): { readonly spec: unknown; readonly wrong: Wrong } {
  const { name } = good[kind];
  if (way === 'recreate') return { spec, wrong: [] };
  const created = asCreated(structural(kindOf(kind).spec), specOf(specEnvironment.object(name)), spec);
  const tried = writing(specEnvironment, kind, way, spec);
  return {
    spec: created.spec,
    wrong: created.refusals.flatMap((words) => refused(specEnvironment, name, tried, words)),
  };
}

async function accepted(specEnvironment: SpecEnvironment, kind: ActedOn, way: Way, written: unknown): Promise<Wrong> {
  const { name } = good[kind];
  const { spec, wrong } = writable(specEnvironment, kind, way, written);
  const failure = specEnvironment.write(writing(specEnvironment, kind, way, spec));
  if (failure !== null) return [...wrong, `a valid spec is refused: ${textOf(failure)}`];
  const ended = await specEnvironment.rest(mostPasses);
  const again = specEnvironment.object(name) ? null : specEnvironment.write(writing(specEnvironment, kind, way, spec));
  if (again !== null) return [...wrong, `a valid spec is refused once it is gone: ${textOf(again)}`];
  const rested = [...ended, ...(await specEnvironment.rest(mostPasses))];
  return [
    ...wrong,
    ...rested,
    ...lost(spec, specOf(specEnvironment.object(name))),
    ...crashesIn(specEnvironment.environment.logged),
  ];
}

async function stepped(specEnvironment: SpecEnvironment, kind: ActedOn, step: Step): Promise<Wrong> {
  const { name } = good[kind];
  switch (step.is) {
    case 'valid': {
      const [spec, snapshot] = [specOf(specEnvironment.object(name)), specEnvironment.snapshot()];
      const there = await accepted(specEnvironment, kind, step.way, step.spec);
      if (there.length > 0 || !step.andBack) return there;
      const back = await accepted(specEnvironment, kind, step.way, spec);
      const differ = differences(specEnvironment.snapshot(), snapshot).filter(
        (one) => !accumulates(snapshot, step.way)(one),
      );
      return [...back, ...differ].map((one) => `back at the spec before: ${one}`);
    }
    case 'broken':
      return refused(
        specEnvironment,
        name,
        writing(specEnvironment, kind, step.way, step.broken.spec),
        step.broken.field,
      );
    case 'unknown field': {
      const wrong = await accepted(specEnvironment, kind, 'patch', step.spec);
      const before = JSON.stringify(specEnvironment.object(name));
      const failure = specEnvironment.write(
        writing(specEnvironment, kind, 'patch', withUnknown(specOf(specEnvironment.object(name)))),
      );
      const isSame = JSON.stringify(specEnvironment.object(name)) === before;
      return [
        ...wrong,
        ...(failure === null ? [] : [`an unknown field is refused: ${textOf(failure)}`]),
        ...(isSame ? [] : ['an unknown field changes the object']),
      ];
    }
    case 'fixed': {
      const { cluster } = specEnvironment.environment;
      return refused(
        specEnvironment,
        name,
        cluster.patch(specEnvironment.resource, { name }, changeOf[step.field]),
        step.field,
      );
    }
  }
}

/** A violation in a sequence: the number of the step, from 1, and the violations. */
export interface WentWrong {
  readonly at: number;
  readonly wrong: Wrong;
}

/** Runs one sequence: the good spec, the steps, the deletion of the object. Null when everything held. */
export async function play(kind: ActedOn, steps: readonly Step[]): Promise<WentWrong | null> {
  const specEnvironment = await makeSpecEnvironment(kind);
  const { name, spec } = good[kind];
  try {
    const begun = await specEnvironment.rest(mostPasses);
    const bare = specEnvironment.snapshot();
    const wrong = [...begun, ...(await accepted(specEnvironment, kind, 'patch', spec))];
    if (wrong.length > 0) return { at: 0, wrong };
    for (const [index, step] of steps.entries()) {
      const found = await stepped(specEnvironment, kind, step);
      if (found.length > 0) return { at: index + 1, wrong: found };
    }
    specEnvironment.write(specEnvironment.environment.cluster.remove(specEnvironment.resource, { name }));
    const ended = await specEnvironment.rest(mostPasses);
    const isRight = kind === 'CoreApp' ? outlives : accumulates(bare);
    const left = differences(specEnvironment.snapshot(), bare).filter((one) => !isRight(one));
    const all = [
      ...ended,
      ...left.map((one) => `after the deletion: ${one}`),
      ...crashesIn(specEnvironment.environment.logged),
    ];
    return all.length === 0 ? null : { at: steps.length + 1, wrong: all };
  } finally {
    await specEnvironment.end();
  }
}
