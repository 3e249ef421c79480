import { annotation } from '../../../crds/names.ts';
import { tableOf } from '../../check/check.ts';
import { runOf } from '../../check/run.ts';
import type { AnySubject } from '../../check/subject.ts';
import { passOf } from '../../check/world.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import type { FaultSubject, Path } from '../subjects/subject.ts';
import { generatedController } from './controller.ts';
import { oracleOf } from './oracle.ts';
import { generatedObjects, objectName } from './kind.ts';
import { objectIn, putWorld, worldIn } from './objects.ts';
import { pathOf } from './paths.ts';
import { placesOf } from './places.ts';
import { changedFields, type Play } from './play.ts';
import { livesOf } from './search.ts';

const write = (world: TestEnvironment, change: (object: NonNullable<ReturnType<typeof objectIn>>) => object) => {
  const stored = objectIn(world);
  if (stored) world.cluster.put(generatedObjects, change(stored) as typeof stored);
};
const drop = (world: TestEnvironment) => {
  if (objectIn(world)) world.cluster.drop(generatedObjects, objectName.name);
};

/** The initial world most similar to a world, because the spec remains when the status is removed. */
const beginningOf = ({ model }: Play, world: unknown): unknown =>
  model.start.toSorted((one, other) => changedFields(one, world).length - changedFields(other, world).length)[0];

/** Whether the model can tell what a pass would do; for some states it needs the step that led there. */
function isDecidable({ run }: Play, world: unknown): boolean {
  try {
    passOf(run, world);
    return true;
  } catch (thrown) {
    if (thrown instanceof TypeError) return false;
    throw thrown;
  }
}

/** External changes that users of kubectl make to a generated object. */
function userEditsOf(play: Play): FaultSubject['userEdits'] {
  const { model, run } = play;
  const stateIs = (state: string) => (world: TestEnvironment) => {
    const before = worldIn(play, world);
    const next = { ...(before as object), state };
    if (before !== null && isDecidable(play, next)) putWorld(play, world, next);
  };
  return {
    ...Object.fromEntries(run.states.map((state) => [`state ${state}`, stateIs(state)])),
    'the status is emptied': (world) => {
      const before = worldIn(play, world);
      if (typeof before !== 'object' || before === null) return;
      const outside = Object.entries(before).filter(([name]) => play.outside.has(name));
      putWorld(play, world, { ...(beginningOf(play, before) as object), ...Object.fromEntries(outside) }, true);
    },
    'the object is deleted': drop,
    'the object is created anew': (world) => {
      drop(world);
      putWorld(play, world, model.start[0]);
    },
    'the object is paused and goes on': (world) => {
      write(world, (object) => ({
        ...object,
        metadata: { ...object.metadata, annotations: { [annotation.paused]: 'true' } },
      }));
      write(world, (object) => ({ ...object, metadata: { ...object.metadata, annotations: {} } }));
    },
  };
}

const once = <A>(make: () => A): (() => A) => {
  let made: { readonly it: A } | undefined;
  return () => (made ??= { it: make() }).it;
};

/** A subject of the harness, derived only from what the specification check of its lifecycle needs. */
export function generatedSubject(subject: AnySubject): FaultSubject {
  const play = once((): Play => {
    const run = runOf({ subject, table: tableOf(subject.name), places: { arrows: {}, rules: {} }, seed: 0 });
    return { run, model: run.subject.model, ...placesOf(run) };
  });
  const paths = once((): readonly Path[] => livesOf(play().run).lives.map((life) => pathOf(play(), life)));
  const controllers = once(() => [generatedController(play())]);
  return {
    name: subject.name,
    tables: [subject.name],
    controllers,
    alsoSeen: [],
    removes: true,
    get paths() {
      return paths();
    },
    get userEdits() {
      return userEditsOf(play());
    },
    state: (world) => {
      const now = worldIn(play(), world);
      return now === null ? '(deleted)' : play().model.state(now);
    },
    oracle: (world, hasUserEdits) => oracleOf(play(), world, hasUserEdits),
  };
}
