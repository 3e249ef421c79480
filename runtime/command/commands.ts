import { Clock, type Context, Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import { isoTime } from '../../rules/time.ts';
import type { Caches } from '../cache/caches.ts';
import { entryLifecycle } from '../step/entries.ts';
import type { AnyLifecycle } from '../contract/lifecycle.ts';
import type { Outside } from '../services/outside.ts';
import type { PassContext } from '../contract/context.ts';
import { confirmAddition, confirmRemoval, patiently } from './confirm.ts';
import { create, made } from './create.ts';
import {
  command,
  type ConditionalCommand,
  type Decided,
  expectAnswer,
  type IfAbsent,
  type Undecided,
} from './command.ts';
import { edit, type Edit, type Edited } from './edit.ts';
import type { EventRecorder } from '../write/eventRecorder.ts';
import { Cluster, type Resource, type WriteError } from '../services/cluster/cluster.ts';
import type { MetricsShape } from '../services/metrics.ts';
import { historyOf } from '../step/history.ts';
import type { AddOther, Command, CommandRejected } from '../contract/command.ts';
import { type Controller, type Instance, isOwn } from '../contract/controller.ts';

/** Changes by requests, each followed at once by a pass of the leader. */
export interface Commands {
  /** Runs one command on one instance, then a pass at once. */
  readonly move: (
    controller: Controller,
    lifecycle: AnyLifecycle,
    name: string,
    asked: Command | ConditionalCommand,
  ) => Effect.Effect<KubeObject, CommandRejected | WriteError>;
  /** Runs one command and returns the decision, then runs a pass at once if anything moved. */
  readonly decide: (
    controller: Controller,
    lifecycle: AnyLifecycle,
    name: string,
    asked: Command,
  ) => Effect.Effect<Decided, Undecided>;
  /** Creates one object by a command, as requested and defaulted, then runs a pass at once. */
  readonly create: (
    controller: Controller,
    lifecycle: AnyLifecycle,
    object: KubeObject,
    command: Command,
  ) => Effect.Effect<KubeObject, CommandRejected | WriteError>;
  /** Creates one object of a kind without a creation rule, then runs a pass at once. */
  readonly add: <O extends KubeObject>(resource: Resource<O>, object: O) => Effect.Effect<O, WriteError>;
  /** Edits one object as a person would, then runs a pass at once; nothing is written when the edit has no patch. */
  readonly edit: <O extends KubeObject, A>(
    resource: Resource<O>,
    name: string,
    follow: (object: O) => Edit<A>,
  ) => Effect.Effect<Edited<O, A>, WriteError>;
  /** Deletes one object, never a later one of its name; later passes end its life. */
  readonly remove: (controller: Controller, object: KubeObject) => Effect.Effect<void, WriteError>;
  /**
   * Requests a pass by annotating the object: the leader sees the change; without a leader, the next one processes all
   * objects.
   */
  readonly requestPass: (controller: Controller, name: string) => Effect.Effect<KubeObject, WriteError>;
}

export interface CommandOptions {
  readonly controllers: readonly Controller[];
  readonly caches: Caches;
  /** The services that the commands run with. */
  readonly context: Context.Context<Outside>;
  readonly metrics: MetricsShape;
  readonly recorder: EventRecorder;
  /** Whether this process ended the life of a uid. */
  readonly hasEnded: PassContext['hasEnded'];
  /** Archives the history of an object whose life ends. */
  readonly archive: (controller: Controller, object: KubeObject) => ReturnType<PassContext['archive']>;
  /** Requests a pass at once; does nothing while another process leads. */
  readonly enqueue: (controller: Controller, name: string) => void;
}

/** Finds a machine of an object, or of an entry of one of its lists. */
function machineOf({ lifecycles, entries = [] }: Controller, machine: string, item?: string): AnyLifecycle | undefined {
  if (item === undefined) return lifecycles.find(({ name }) => name === machine);
  const of = entries.find(({ name }) => name === machine);
  return of && entryLifecycle(of, item);
}

/** The options of commands, and the contexts of passes. */
interface Running extends CommandOptions {
  readonly contextFor: (controller: Controller) => PassContext;
}

/** Records what a request wrote and enqueues a pass, also after a failure, which may come after a write. */
const followed = <A, E, R>(
  { enqueue, recorder }: CommandOptions,
  { controller, name }: Pick<Instance, 'controller' | 'name'>,
  request: Effect.Effect<A, E, R>,
  wrote: (done: A) => Pick<Decided, 'object' | 'moves'>,
) =>
  request.pipe(
    Effect.tap((done) => {
      const { object, moves } = wrote(done);
      if (object === null || moves.length === 0) return Effect.void;
      enqueue(controller, name);
      return recorder.moved(controller, object, moves);
    }),
    Effect.tapError(() => Effect.sync(() => enqueue(controller, name))),
  );

const decided = (running: Running, instance: Instance, asked: Command | ConditionalCommand, ifAbsent?: IfAbsent) =>
  followed(
    running,
    instance,
    command(instance, asked, running.contextFor(instance.controller), ifAbsent),
    (done) => done,
  );

const countingRejected = <A, E extends CommandRejected | WriteError, R>(
  { metrics }: CommandOptions,
  request: Effect.Effect<A, E, R>,
) =>
  Effect.tapError(request, (failure: CommandRejected | WriteError) =>
    Effect.sync(() => {
      if (failure._tag === 'CommandRejected') metrics.refused(failure.machine, 'asked');
    }),
  );

const moved = (running: Running, instance: Instance, asked: Command | ConditionalCommand) =>
  countingRejected(running, expectAnswer(instance, asked, decided(running, instance, asked)));

/** Caches an object written without a machine and enqueues its pass. */
function noteWritten<O extends KubeObject>(
  { caches, controllers, enqueue }: CommandOptions,
  resource: Resource<O>,
  object: O,
): void {
  caches.of(resource).note(object);
  for (const controller of controllers.filter((one) => one.resource.kind === resource.kind))
    if (isOwn(controller, object.metadata.name)) enqueue(controller, object.metadata.name);
}

const addWith = (options: CommandOptions): AddOther =>
  Effect.fnUntraced(function* (resource, object) {
    const ofKind = options.controllers.filter((one) => one.resource.kind === resource.kind);
    const lifecycles = ofKind.flatMap((one) => one.lifecycles);
    const first = made(lifecycles, object, { now: yield* Clock.currentTimeMillis, reader: options.caches });
    const cluster = yield* Cluster;
    const created = yield* cluster
      .create(resource, first)
      .pipe(Effect.catchTag('Unavailable', (lost) => confirmAddition(resource, first, lost)));
    noteWritten(options, resource, created);
    return created;
  });

const removed = ({ resource }: Controller, object: KubeObject) => {
  const { name, uid } = object.metadata;
  return Effect.flatMap(Cluster, (cluster) =>
    cluster.remove(resource, { name }, uid === undefined ? {} : { uid }),
  ).pipe(Effect.catchTag('Unavailable', (lost) => confirmRemoval(resource, object, lost)));
};

/** The caches report the annotation like any change, which triggers the pass. */
const passRequested = Effect.fnUntraced(function* ({ resource }: Controller, name: string) {
  const cluster = yield* Cluster;
  const asked = isoTime(yield* Clock.currentTimeMillis);
  // Idempotent, so it may be retried.
  return yield* patiently(
    cluster.patch(resource, { name }, { metadata: { annotations: { [annotation.lookAt]: asked } } }),
  );
});

/** Builds the context of the passes of each controller, which may run commands on other objects. */
function contextsOf(options: CommandOptions, add: AddOther): Running['contextFor'] {
  const { controllers, caches, metrics, hasEnded, archive } = options;
  const contextFor = (controller: Controller): PassContext => ({
    reader: caches,
    wrote: (object) => caches.of(controller.resource).note(object),
    external: (_, { machine }) => metrics.refused(machine, 'outside'),
    ensureFailed: (ensure) => metrics.ensureFailed(controller.resource.kind, ensure),
    move: ({ kind, machine, name, item }, asked) => {
      const others = controllers.filter(({ resource }) => resource.kind === kind);
      const found = others.map((other) => ({ controller: other, lifecycle: machineOf(other, machine, item) }));
      const instance = found.find(({ lifecycle }) => lifecycle !== undefined);
      if (!instance?.lifecycle) return Effect.die(new Error(`no ${kind} has a machine ${machine}`));
      const { controller: of, lifecycle } = instance;
      return moved({ ...options, contextFor }, { controller: of, lifecycle, name }, asked);
    },
    add,
    archive: (object) => archive(controller, object),
    hasEnded,
  });
  return contextFor;
}

/** Builds the commands, and the contexts of passes. */
export function makeCommands(options: CommandOptions): Pick<Running, 'contextFor'> & { readonly commands: Commands } {
  const add = addWith(options);
  const contextFor = contextsOf(options, add);
  const running: Running = { ...options, contextFor };
  const within = Effect.provideContext(options.context);
  return {
    contextFor,
    commands: {
      move: (controller, lifecycle, name, asked) => within(moved(running, { controller, lifecycle, name }, asked)),
      decide: (controller, lifecycle, name, asked) =>
        within(decided(running, { controller, lifecycle, name }, asked, 'decide')),
      create: (controller, lifecycle, object, asked) => {
        const creating = create({ controller, lifecycle, object }, asked, contextFor(controller));
        const counted = countingRejected(running, creating);
        return within(
          followed(running, { controller, name: object.metadata.name }, counted, (created) => ({
            object: created,
            moves: historyOf(created).slice(-1),
          })),
        );
      },
      add: (resource, object) => within(add(resource, object)),
      edit: (resource, name, follow) =>
        within(
          Effect.tap(edit(resource, name, follow), ({ object }) =>
            Effect.sync(() => noteWritten(options, resource, object)),
          ),
        ),
      remove: (controller, object) => within(removed(controller, object)),
      requestPass: (controller, name) => within(passRequested(controller, name)),
    },
  };
}
