import { Effect, Result, Stream } from 'effect';
import type { KubeObject } from '../../../../crds/kind.ts';
import { systemNamespace } from '../../../../crds/names.ts';
import type { ClusterShape, Gone, Watched, WriteError } from '../../../../runtime/services/cluster/cluster.ts';
import { type KindName, needed, objectOf, type Op, resources, say } from './ops.ts';
import { type Shown, showing } from './shown.ts';
import type { Subject } from './subjects.ts';
import { makeReceived, type Received } from './received.ts';

/** Something asked of a cluster and what came of it, in words that two clusters share. */
export interface Line {
  readonly asked: string;
  readonly answer: string;
}

interface Course {
  readonly cluster: ClusterShape;
  readonly shown: Shown;
  readonly received: Received;
}

type Failed = WriteError | Gone;
type Answered = Effect.Effect<string, Failed>;

const last = 'zz-last';

/** Plays calls one after the other: their answers, then for each kind what a watch received and what is left. */
export async function play(subject: Subject, ops: readonly Op[]): Promise<readonly Line[]> {
  const { cluster, kinds } = subject;
  const base = (await Effect.runPromise(cluster.list(resources.build))).resourceVersion;
  const course: Course = { cluster, shown: showing(base), received: makeReceived() };
  const lines: Line[] = [];
  for (const op of ops) {
    lines.push({ asked: say(op), answer: await outcome(course, perform(course, op)) });
    await subject.collected();
  }
  for (const kind of kinds)
    lines.push({ asked: `${kind}s left`, answer: await outcome(course, perform(course, { do: 'list', kind })) });
  for (const kind of kinds)
    lines.push({ asked: `watch ${kind}s from the start`, answer: await outcome(course, watched(course, kind, base)) });
  await clear(subject);
  return lines;
}

const outcome = async ({ shown }: Course, run: Answered): Promise<string> =>
  Effect.runPromise(Effect.match(run, { onSuccess: (answer) => answer, onFailure: shown.failure }));

function perform(course: Course, op: Op): Answered {
  const { cluster, shown, received } = course;
  const resource = resources[op.kind];
  switch (op.do) {
    case 'create': {
      const owners = (op.owners ?? []).map(({ kind, name }) => ({
        apiVersion: 'v1',
        kind: resources[kind].kind,
        name,
        uid: received.newest(kind, name)?.metadata.uid ?? 'never-given',
      }));
      return written(course, op.kind, cluster.create(resource, objectOf(op, owners)));
    }
    case 'apply': {
      const uid = op.over === 'its' ? received.newest(op.kind, op.name)?.metadata.uid : undefined;
      const over = op.over === 'nothing' ? op.over : { uid: uid ?? 'never-given' };
      return written(course, op.kind, cluster.apply(resource, objectOf(op), over));
    }
    case 'generate': {
      const metadata = { generateName: op.prefix, namespace: systemNamespace } as unknown as KubeObject['metadata'];
      return written(course, op.kind, cluster.create(resource, { ...needed[op.kind], metadata }));
    }
    case 'get':
      return Effect.map(cluster.get(resource, op), (object) => {
        received.enter(op.kind, object);
        return shown.object(object);
      });
    case 'list':
      return listed(course, op);
    case 'patch':
      return written(
        course,
        op.kind,
        cluster.patch(resource, op, op.body, received.precondition(op.kind, op.name, op.over)),
      );
    case 'status':
      return written(
        course,
        op.kind,
        cluster.patchStatus(resource, op, op.body, received.precondition(op.kind, op.name, op.over)),
      );
    case 'remove':
      return Effect.as(cluster.remove(resource, op, received.precondition(op.kind, op.name, op.over)), 'removed');
    case 'race': {
      const over = received.precondition(op.kind, op.name, { uid: 'its', version: 'its' });
      const writer = Effect.result(cluster.patch(resource, op, op.body, over));
      const writers = Array.from({ length: op.writers }, () => writer);
      return Effect.map(Effect.all(writers, { concurrency: 'unbounded' }), (results) =>
        results
          .map((result) => (Result.isSuccess(result) ? 'written' : result.failure._tag))
          .toSorted()
          .join(', '),
      );
    }
  }
}

/** A write's answer; the writer reads what it received. */
const written = <E extends Failed>(course: Course, kind: KindName, write: Effect.Effect<KubeObject, E>): Answered =>
  Effect.gen(function* () {
    const { cluster, shown, received } = course;
    const object = yield* write;
    received.enter(kind, object);
    const { name, deletionTimestamp, ownerReferences, finalizers = [] } = object.metadata;
    const text = shown.object(object);
    if (ownerReferences || (deletionTimestamp !== undefined && finalizers.length === 0)) return text;
    const read = shown.object(yield* cluster.get(resources[kind], { name }));
    return read === text ? text : `${text}, but reads ${read}`;
  });

const listed = ({ cluster, shown }: Course, { kind, where, limit }: Extract<Op, { do: 'list' }>): Answered =>
  Effect.gen(function* () {
    const options = {
      ...(where === undefined ? {} : { labelSelector: where }),
      ...(limit === undefined ? {} : { limit }),
    };
    const pages: string[] = [];
    let page = yield* cluster.list(resources[kind], options);
    for (;;) {
      pages.push(`${shown.version(page.resourceVersion)} [${page.items.map(shown.object).join('; ')}]`);
      if (page.continue === undefined) return pages.join(' then ');
      page = yield* cluster.list(resources[kind], { ...options, continue: page.continue });
    }
  });

/** Everything that a watch from a version on tells, up to an object that is made to be the last. */
const watched = ({ cluster, shown }: Course, kind: KindName, from: string): Answered =>
  Effect.gen(function* () {
    yield* cluster.create(resources[kind], objectOf({ do: 'create', kind, name: last }, []));
    const changes: string[] = [];
    const tellOf = (change: Watched<KubeObject>) =>
      change.type === 'bookmark' || change.object.metadata.name === last
        ? []
        : [`${change.type} ${shown.object(change.object)}`];
    yield* cluster.watch(resources[kind], { resourceVersion: from, silenceMs: 10_000 }).pipe(
      Stream.takeUntil((change) => change.type !== 'bookmark' && change.object.metadata.name === last),
      Stream.runForEach((change) => Effect.sync(() => changes.push(...tellOf(change)))),
    );
    return changes.join('; ');
  });

/** Leaves nothing behind. */
async function clear({ cluster, collected, kinds }: Subject): Promise<void> {
  const drop = (kind: KindName) =>
    Effect.gen(function* () {
      for (const { metadata } of (yield* cluster.list(resources[kind])).items) {
        if ((metadata.finalizers ?? []).length > 0)
          yield* Effect.ignore(cluster.patch(resources[kind], metadata, { metadata: { finalizers: null } }));
        yield* cluster.remove(resources[kind], metadata);
      }
    });
  await Effect.runPromise(Effect.forEach(kinds, drop, { discard: true }));
  await collected();
}
