import { Effect, Fiber, Result, Stream } from 'effect';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../../crds/kind.ts';
import { annotation, systemNamespace } from '../../../../crds/names.ts';
import { builds } from '../../../../runtime/services/cluster/kinds.ts';
import { pods, secrets } from '../../../../runtime/services/cluster/resources.ts';
import type { Resource, Watched } from '../../../../runtime/services/cluster/cluster.ts';
import { suite } from '../../../support/suite.ts';
import { until } from '../../../support/until.ts';
import { create, objectOf } from './ops.ts';
import { embedded, inMemory, type Subject } from './subjects.ts';

const spec = suite('watches and logs, in memory and embedded');
let subjects: readonly Subject[] = [];

spec.before(async () => {
  subjects = [inMemory(), await embedded()];
});
spec.after(async () => {
  for (const subject of subjects) await subject.end();
});

const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(effect);
const failureOf = async <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) => {
  const result = await run(Effect.result(effect));
  if (Result.isFailure(result)) return result.failure;
  throw new Error('it succeeded');
};

const make = ({ cluster }: Subject, name: string) =>
  run(cluster.create(builds, objectOf({ do: 'create', kind: 'build', name }, [])));
const label = ({ cluster }: Subject, name: string, value: string) =>
  run(cluster.patch(builds, { name }, { metadata: { labels: { t: value } } }));
const versionOf = ({ metadata }: KubeObject) => metadata.resourceVersion ?? '';
const watch = ({ cluster }: Subject, resourceVersion: string, namespace?: string) =>
  cluster.watch<KubeObject>(builds, {
    resourceVersion,
    silenceMs: 60_000,
    ...(namespace === undefined ? {} : { namespace }),
  });
const first = ({ cluster }: Subject, resource: Resource) => run(cluster.list(resource));

const say = (change: Watched<KubeObject>) =>
  change.type === 'bookmark' ? 'bookmark' : `${change.type} ${change.object.metadata.name}`;

/** The next changes of a watch from a version on. */
const next = (subject: Subject, resourceVersion: string, count: number) =>
  run(
    watch(subject, resourceVersion).pipe(
      Stream.filter(({ type }) => type !== 'bookmark'),
      Stream.take(count),
      Stream.map(say),
      Stream.runCollect,
    ),
  );

/** The same on every cluster: nothing is said of one that is not said of the other. */
function each(title: string, check: (subject: Subject) => Promise<void>) {
  spec(title, async () => {
    for (const subject of subjects) {
      try {
        await check(subject);
      } catch (thrown) {
        if (thrown instanceof Error) thrown.message = `${subject.name}: ${thrown.message}`;
        throw thrown;
      }
    }
  });
}

each('a watch from a version delivers each later change once, deletions included', async (subject) => {
  const made = await make(subject, 'w-a');
  const labelled = await label(subject, 'w-a', '1');
  await label(subject, 'w-a', '2');
  await run(subject.cluster.remove(builds, { name: 'w-a' }));
  await make(subject, 'w-b');
  const all = ['modified w-a', 'modified w-a', 'deleted w-a', 'added w-b'];
  assert.equal(await next(subject, versionOf(made), 4), all);
  assert.equal(await next(subject, versionOf(labelled), 3), all.slice(1));
});

each('a watch from no version, or from 0, begins with the objects there are', async (subject) => {
  await make(subject, 'x-b');
  await make(subject, 'x-a');
  await label(subject, 'x-b', '1');
  const { items } = await first(subject, builds);
  const wanted = items.map(({ metadata: { name } }) => `added ${name}`);
  assert.equal(await next(subject, '0', items.length), wanted);
  assert.equal(await next(subject, '', items.length), wanted);
});

each('an open watch delivers later writes in the order of their versions', async (subject) => {
  const { resourceVersion } = await first(subject, builds);
  const heard: Watched<KubeObject>[] = [];
  const fiber = Effect.runFork(
    Stream.runForEach(watch(subject, resourceVersion), (change) => Effect.sync(() => heard.push(change))),
  );
  await make(subject, 'y-a');
  await Promise.all(['1', '2', '3', '4'].map((value) => label(subject, 'y-a', value)));
  await run(subject.cluster.remove(builds, { name: 'y-a' }));
  const changes = () => heard.flatMap((change) => (change.type === 'bookmark' ? [] : [change]));
  await until(() => changes().length >= 6, 'six changes');
  const versions = changes().map(({ object }) => Number(versionOf(object)));
  assert.equal(
    versions,
    versions.toSorted((a, b) => a - b),
  );
  assert.is(new Set(versions).size, 6);
  assert.is(changes().map(say).at(-1), 'deleted y-a');
  await run(Fiber.interrupt(fiber));
});

each('a watch gets bookmarks although none of its objects changed', async (subject) => {
  const { resourceVersion } = await first(subject, builds);
  const came: string[] = [];
  const fiber = Effect.runFork(
    Stream.runForEach(watch(subject, resourceVersion), (change) =>
      Effect.sync(() => came.push(change.type === 'bookmark' ? change.resourceVersion : change.type)),
    ),
  );
  const secret = objectOf({ do: 'create', kind: 'secret', name: 'm-a' }, []);
  const { metadata } = await run(subject.cluster.create(secrets, secret));
  const marked = () => {
    subject.bookmark();
    return came.includes(metadata.resourceVersion ?? '');
  };
  await until(marked, 'a bookmark');
  await run(Fiber.interrupt(fiber));
  await make(subject, 'm-b');
  assert.equal(await next(subject, metadata.resourceVersion ?? '', 1), ['added m-b']);
});

each('a watch of one namespace, or of all, delivers only their objects', async (subject) => {
  const { resourceVersion } = await first(subject, builds);
  const { cluster } = subject;
  const elsewhere = objectOf({ do: 'create', kind: 'build', name: 'n-a', meta: { namespace: 'default' } }, []);
  await run(cluster.create(builds, elsewhere));
  await make(subject, 'n-b');
  const of = (namespace: string | undefined, count: number) =>
    run(watch(subject, resourceVersion, namespace).pipe(Stream.take(count), Stream.map(say), Stream.runCollect));
  assert.equal(await of('all', 2), ['added n-a', 'added n-b']);
  assert.equal(await of('default', 1), ['added n-a']);
  assert.equal(await of(undefined, 1), ['added n-b']);
  const names = async (namespace: string) =>
    (await run(cluster.list(builds, { namespace }))).items.map(({ metadata }) => metadata.name);
  assert.equal(await names('default'), ['n-a']);
  assert.ok((await names('all')).includes('n-b'));
  assert.is((await failureOf(cluster.get(builds, { name: 'n-a' })))._tag, 'NotFound');
  assert.is((await run(cluster.get(builds, { name: 'n-a', namespace: 'default' }))).metadata.namespace, 'default');
});

each('a watch by label delivers what begins to match, matches and no longer matches', async (subject) => {
  const { resourceVersion } = await first(subject, builds);
  await make(subject, 's-a');
  for (const value of ['1', '2', '1', '3']) await label(subject, 's-a', value);
  const heard = subject.cluster
    .watch<KubeObject>(builds, { resourceVersion, labelSelector: 't in (1, 2)', silenceMs: 60_000 })
    .pipe(
      Stream.filter(({ type }) => type !== 'bookmark'),
      Stream.take(4),
      Stream.map((change) => [say(change), 'object' in change ? change.object.metadata.labels?.['t'] : '']),
      Stream.runCollect,
    );
  assert.equal(await run(heard), [
    ['added s-a', '1'],
    ['modified s-a', '2'],
    ['modified s-a', '1'],
    ['deleted s-a', '1'],
  ]);
  const { items } = await run(subject.cluster.list(builds, { labelSelector: 't=3' }));
  assert.equal(items.map(({ metadata }) => metadata.name).includes('s-a'), true);
});

each('a watch from a future version delivers later changes', async (subject) => {
  const { resourceVersion } = await first(subject, builds);
  const told = next(subject, String(Number(resourceVersion) + 1), 1);
  await make(subject, 'e-a');
  await make(subject, 'e-b');
  assert.equal(await told, ['added e-b']);
});

each('a watch from an invalid version is refused', async (subject) => {
  const none = await failureOf(Stream.runDrain(watch(subject, 'soon')));
  // A real server answers 500 here, too.
  assert.is(none._tag, 'Unavailable');
});

each('an expired watch or page is refused as Gone, and a new list succeeds', async (subject) => {
  await make(subject, 'f-a');
  await make(subject, 'f-b');
  const page = await run(subject.cluster.list(builds, { limit: 1 }));
  await make(subject, 'f-c');
  const made = await make(subject, 'f-d');
  await subject.forget();
  const old = String(Number(versionOf(made)) - 1);
  assert.is((await failureOf(Stream.runDrain(watch(subject, old))))._tag, 'Gone');
  const more = subject.cluster.list(builds, { limit: 1, continue: page.continue ?? '' });
  assert.is((await failureOf(more))._tag, 'Gone');
  const { resourceVersion, items } = await first(subject, builds);
  assert.is(resourceVersion, versionOf(made), 'no version was taken back or skipped');
  assert.ok(items.some(({ metadata }) => metadata.name === 'f-d'));
  await label(subject, 'f-d', '1');
  assert.equal(await next(subject, resourceVersion, 1), ['modified f-d']);
  const nonsense = await failureOf(subject.cluster.list(builds, { limit: 1, continue: '?' }));
  assert.is(nonsense._tag, 'Refused');
});

each('a resource that is not served is not found', async ({ cluster }) => {
  const nothing: Resource = { ...builds, plural: 'nothings', kind: 'Nothing' };
  assert.is((await failureOf(cluster.get(nothing, { name: 'a' })))._tag, 'NotFound');
  assert.equal((await failureOf(cluster.list(nothing)))._tag, 'Refused');
  const watched = cluster.watch(nothing, { resourceVersion: '1', silenceMs: 1_000 });
  assert.is((await failureOf(Stream.runDrain(watched)))._tag, 'Refused');
  assert.is((await failureOf(cluster.create(nothing, { metadata: { name: 'a' } })))._tag, 'NotFound');
});

each('the log of a pod is read completely, by its last lines, or to a limit', async ({ cluster }) => {
  const log = 'one\ntwo\nthree\n';
  const meta = { annotations: { [annotation.podLog]: log } };
  await run(cluster.create(pods, objectOf({ do: 'create', kind: 'pod', name: 'l-a', meta }, [])));
  const read = (limits: object) => run(cluster.podLog({ name: 'l-a' }, { container: 'main', ...limits }));
  assert.is(await read({}), log);
  assert.is(await read({ tailLines: 2 }), 'two\nthree\n');
  assert.is(await read({ tailLines: 0 }), '');
  assert.is(await read({ limitBytes: 5 }), 'one\nt');
  const joined = { start: '', next: (before: string, piece: string) => before + piece };
  const fold = (name: string, container: string) => cluster.foldLog({ name }, container, joined);
  assert.is(await run(fold('l-a', 'main')), log);
  const lines = (options: object) =>
    run(Stream.runCollect(cluster.logLines({ name: 'l-a' }, { container: 'main', ...options })));
  assert.equal(await lines({ follow: true }), ['one', 'two', 'three']);
  assert.equal(await lines({ tailLines: 2 }), ['two', 'three']);
  assert.equal(await lines({ follow: true, tailLines: 1 }), ['three']);
  const [stamped = ''] = await lines({ tailLines: 1, timestamps: true });
  assert.match(stamped, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z three$/);
  assert.equal(await lines({ sinceSeconds: 3_600, tailLines: 1 }), ['three']);
  assert.equal(await lines({ sinceTime: '2000-01-01T00:00:00Z', tailLines: 1 }), ['three']);
  assert.equal(await lines({ sinceTime: '2999-01-01T00:00:00Z' }), []);
  const before = cluster.logLines({ name: 'l-a' }, { container: 'main', previous: true });
  assert.is((await failureOf(Stream.runCollect(before)))._tag, 'Refused');
  assert.is((await failureOf(cluster.podLog({ name: 'nobody' }, { container: 'main' })))._tag, 'NotFound');
  assert.is((await failureOf(cluster.podLog({ name: 'l-a' }, { container: 'other' })))._tag, 'Refused');
  assert.is((await failureOf(fold('nobody', 'main')))._tag, 'NotFound');
  assert.is((await failureOf(fold('l-a', 'other')))._tag, 'Refused');
});

each('the contents of a namespace are deleted with the namespace', async (subject) => {
  const { cluster } = subject;
  const namespaces: Resource = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };
  await run(cluster.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'room' } }));
  const inside = { ...objectOf(create('secret', 's') as never, []), metadata: { name: 's', namespace: 'room' } };
  await run(cluster.create(secrets, inside));
  await run(cluster.remove(namespaces, { name: 'room' }));
  await until(
    async () => Result.isFailure(await run(Effect.result(cluster.get(namespaces, { name: 'room' })))),
    'the namespace to go',
  );
  assert.is((await failureOf(cluster.get(secrets, { name: 's', namespace: 'room' })))._tag, 'NotFound');
  assert.is((await run(cluster.get(namespaces, { name: systemNamespace }))).metadata.name, systemNamespace);
});

spec.run();
