import { Clock, Effect, Result } from 'effect';
import type { PassContext } from '../../../runtime/contract/context.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { isoTime } from '../../../rules/time.ts';
import type { Outside } from '../../../runtime/services/outside.ts';
import { freshMemory } from '../../../runtime/pass/memory.ts';
import { command as carryOut, expectAnswer } from '../../../runtime/command/command.ts';
import { pass } from '../../../runtime/pass/pass.ts';
import { Unavailable, Cluster, type ClusterShape, Conflict } from '../../../runtime/services/cluster/cluster.ts';
import { makeTestEnvironment } from '../../support/environment.ts';
import { clockOf, finalizerName, type Plumbing, type Sample, sampleController, samples } from './sampleController.ts';
import { nothingCached } from '../../support/nothingCached.ts';
import type { Command } from '../../../runtime/contract/command.ts';

const beganAt = Date.UTC(2027, 0, 1);

/** A sample in an in-memory cluster, whose writes are counted and fail as a test says. */
export function makeSampleEnvironment(told: Plumbing, given: Partial<Sample> = {}) {
  let now = beganAt;
  const { cluster, services } = makeTestEnvironment({ now: () => now });
  const writes: string[] = [];
  const patches: object[] = [];
  const archived: KubeObject[] = [];
  const external: string[] = [];
  /** Called before each write; fails it, or does something in between. */
  const hooks: { before: (write: string) => Effect.Effect<void, Unavailable | Conflict> } = {
    before: () => Effect.void,
  };

  const controller = sampleController(told);
  const through = <A, E, R>(write: string, effect: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => hooks.before(write)).pipe(
      Effect.andThen(effect),
      Effect.tap(() => Effect.sync(() => void writes.push(write))),
    );
  const counted: ClusterShape = {
    ...cluster,
    patch: (...rest) =>
      through('object', cluster.patch(...rest)).pipe(Effect.tap(() => Effect.sync(() => void patches.push(rest[2])))),
    patchStatus: (...rest) => through('status', cluster.patchStatus(...rest)),
  };
  const context: PassContext = {
    reader: nothingCached,
    wrote: () => {},
    ensureFailed: () => {},
    external: (_, { from, to }) => external.push(`${from} ${to}`),
    move: () => Effect.die('another sample is not expected'),
    add: () => Effect.die('another sample is not expected'),
    archive: (object) => Effect.sync(() => void archived.push(object)),
    hasEnded: (uid) => archived.some(({ metadata }) => metadata.uid === uid),
  };
  cluster.put(samples, { metadata: { name: 'mill', finalizers: [finalizerName] }, ...given });

  const clock = clockOf(() => now);
  const run = <A, E>(effect: Effect.Effect<A, E, Outside>) =>
    Effect.runPromise(
      Effect.result(effect).pipe(
        Effect.provideService(Cluster, counted),
        Effect.provideContext(services),
        Effect.provideService(Clock.Clock, clock),
      ),
    );
  const standing = (): Sample | undefined => cluster.all(samples)[0];
  const sample = (): Sample => {
    const found = standing();
    if (!found) throw new Error('the sample is gone');
    return found;
  };
  const lifecycleOf = (machine: string) => {
    const found = controller.lifecycles.find(({ name }) => name === machine);
    if (!found) throw new Error(`no machine ${machine}`);
    return found;
  };
  return {
    cluster,
    controller,
    writes,
    /** What was written of objects, outside their status. */
    patches,
    archived,
    external,
    hooks,
    context,
    standing,
    sample,
    run,
    /** One pass over the stored object, or over an older version of it. */
    look: (at: KubeObject = sample()) => run(pass(controller, at, freshMemory(at.metadata.uid), context)),
    ask: (command: Command, machine = 'valve') => {
      const mill = { controller, lifecycle: lifecycleOf(machine), name: 'mill' };
      return run(expectAnswer(mill, command, carryOut(mill, command, context)));
    },
    /** A manual write over whatever is stored. */
    edit: (change: (sample: Sample) => object) => cluster.put(samples, { ...sample(), ...change(sample()) }),
    deleteIt: () =>
      cluster.put(samples, {
        ...sample(),
        metadata: { ...sample().metadata, deletionTimestamp: isoTime(now) },
      }),
    later: (ms: number) => {
      now += ms;
    },
  };
}

export const away = (why = 'down') => Effect.fail(new Unavailable({ message: why }));
export const conflict = () => Effect.fail(new Conflict({ what: 'mill' }));
export const failureOf = (result: Result.Result<unknown, { readonly _tag: string }>): string =>
  Result.isFailure(result) ? result.failure._tag : '';
