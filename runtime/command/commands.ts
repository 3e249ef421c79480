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

/** What requests change: each is followed by a pass at once, run by whoever leads. */
export interface Commands {
  /** Runs one command on one instance, then a pass at once. */
  readonly move: (
    controller: Controller,
    lifecycle: AnyLifecycle,
    name: string,
    asked: Command | ConditionalCommand,
  ) => Effect.Effect<KubeObject, CommandRejected | WriteError>;
  /** Runs one command whose caller does not know what it means here, then a pass at once if it moved something. */
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
  /** Creates one object of a kind whose creation no machine takes, then runs a pass at once. */
  readonly add: <O extends KubeObject>(resource: Resource<O>, object: O) => Effect.Effect<O, WriteError>;
  /** Edits one object as a person would, then runs a pass at once; nothing is written where the edit has no patch. */
  readonly edit: <O extends KubeObject, A>(
    resource: Resource<O>,
    name: string,
    follow: (object: O) => Edit<A>,
  ) => Effect.Effect<Edited<O, A>, WriteError>;
  /** Deletes one object, and never a later one of its name; the passes that follow end its life. */
  readonly remove: (controller: Controller, object: KubeObject) => Effect.Effect<void, WriteError>;
  /**
   * Requests a pass over an object by annotating it: the leading process sees the change and takes it up; without a
   * leader, the next one processes everything anyway.
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
  /** Whether the object of a uid ended its life in this process. */
  readonly hasEnded: PassContext['hasEnded'];
  /** Keeps the history of an object whose life ends. */
  readonly archive: (controller: Controller, object: KubeObject) => ReturnType<PassContext['archive']>;
  /** Requests a pass at once; does nothing while another process leads. */
  readonly enqueue: (controller: Controller, name: string) => void;
}

/** The machine of a name over an object, or over an entry of one of its lists. */
function machineOf({ lifecycles, entries = [] }: Controller, machine: string, item?: string): AnyLifecycle | undefined {
  if (item === undefined) return lifecycles.find(({ name }) => name === machine);
  const of = entries.find(({ name }) => name === machine);
  return of && entryLifecycle(of, item);
}

/** The commands, and the context of the passes, which may run commands on other objects. */
export function makeCommands(options: CommandOptions): {
  readonly commands: Commands;
  readonly contextFor: (controller: Controller) => PassContext;
} {
  const { controllers, caches, context, metrics, recorder, hasEnded, archive, enqueue } = options;

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
      return moved({ controller: instance.controller, lifecycle: instance.lifecycle, name }, asked);
    },
    add,
    archive: (object) => archive(controller, object),
    hasEnded,
  });

  /** What a command wrote is recorded and followed by a pass at once; what it wrote before it failed gets a pass, too. */
  const followed = <A, E, R>(
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

  const decided = (instance: Instance, asked: Command | ConditionalCommand, ifAbsent?: IfAbsent) =>
    followed(instance, command(instance, asked, contextFor(instance.controller), ifAbsent), (done) => done);

  const countingRejected = <A, E extends CommandRejected | WriteError, R>(request: Effect.Effect<A, E, R>) =>
    Effect.tapError(request, (failure: CommandRejected | WriteError) =>
      Effect.sync(() => {
        if (failure._tag === 'CommandRejected') metrics.refused(failure.machine, 'asked');
      }),
    );

  const moved = (instance: Instance, asked: Command | ConditionalCommand) =>
    countingRejected(expectAnswer(instance, asked, decided(instance, asked)));

  /** Caches what was written past the machines, which does not reach the queue as a write of our own. */
  const written = <O extends KubeObject>(resource: Resource<O>, object: O) => {
    caches.of(resource).note(object);
    for (const controller of controllers.filter((one) => one.resource.kind === resource.kind))
      if (isOwn(controller, object.metadata.name)) enqueue(controller, object.metadata.name);
  };

  const add: AddOther = (resource, object) =>
    Effect.gen(function* () {
      const ofKind = controllers.filter((one) => one.resource.kind === resource.kind);
      const given = { now: yield* Clock.currentTimeMillis, reader: caches };
      const newObject = made(
        ofKind.flatMap(({ lifecycles }) => lifecycles),
        object,
        given,
      );
      const cluster = yield* Cluster;
      const created = yield* cluster
        .create(resource, newObject)
        .pipe(Effect.catchTag('Unavailable', (lost) => confirmAddition(resource, newObject, lost)));
      written(resource, created);
      return created;
    });

  return {
    contextFor,
    commands: {
      move: (controller, lifecycle, name, asked) =>
        moved({ controller, lifecycle, name }, asked).pipe(Effect.provideContext(context)),
      decide: (controller, lifecycle, name, asked) =>
        decided({ controller, lifecycle, name }, asked, 'decide').pipe(Effect.provideContext(context)),
      create: (controller, lifecycle, object, asked) =>
        followed(
          { controller, name: object.metadata.name },
          countingRejected(create({ controller, lifecycle, object }, asked, contextFor(controller))),
          (created) => ({ object: created, moves: historyOf(created).slice(-1) }),
        ).pipe(Effect.provideContext(context)),
      add: (resource, object) => add(resource, object).pipe(Effect.provideContext(context)),
      edit: (resource, name, follow) =>
        edit(resource, name, follow).pipe(
          Effect.tap(({ object }) => Effect.sync(() => written(resource, object))),
          Effect.provideContext(context),
        ),
      remove: ({ resource }, object) => {
        const { name, uid } = object.metadata;
        return Effect.flatMap(Cluster, (cluster) =>
          cluster.remove(resource, { name }, uid === undefined ? {} : { uid }),
        ).pipe(
          Effect.catchTag('Unavailable', (lost) => confirmRemoval(resource, object, lost)),
          Effect.provideContext(context),
        );
      },
      requestPass: (controller, name) =>
        Effect.gen(function* () {
          const cluster = yield* Cluster;
          const asked = isoTime(yield* Clock.currentTimeMillis);
          // The caches report it like any other change, and that triggers the pass.
          const patch = { metadata: { annotations: { [annotation.lookAt]: asked } } };
          // Written twice, it still says the same.
          return yield* patiently(cluster.patch(controller.resource, { name }, patch));
        }).pipe(Effect.provideContext(context)),
    },
  };
}
