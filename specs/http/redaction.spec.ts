import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { HistoryEntry } from '../../crds/kind.ts';
import type { KindName } from '../../crds/kinds.ts';
import type { Bootstrap, Stored } from '../../http/api.ts';
import { explanationOf } from '../../http/views/explanation.ts';
import { placedOn } from '../../http/views/placed.ts';
import { tables } from '../../machines/tables.ts';
import type { View } from '../../rules/access/needs.ts';
import { ensureFailed } from '../../rules/ensure/failing.ts';
import type { Explained } from '../../runtime/step/explain.ts';
import { apps, builds, everyKind } from '../../runtime/services/cluster/kinds.ts';
import type { Resource } from '../../runtime/services/cluster/cluster.ts';
import { hiddenFromBoth, hiddenFromViewers, hiddenNumber, marked, type Marked } from '../rules/marked.ts';
import { times } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/environment.ts';
import { serveAs, tokenOf } from './asCaller.ts';
import { listenTo } from './listener.ts';
import { app, ask, passwordHash, serveEverything, type Served } from './served.ts';
import { hidden, open, sentence } from '../../rules/words.ts';

const redaction = suite('redaction over HTTP');

const resources = Object.fromEntries(everyKind.map((resource) => [resource.kind, resource])) as Record<
  KindName,
  Resource
>;
const kinds = Object.keys(resources) as readonly KindName[];
const nameOf = (kind: KindName) =>
  kind === 'CorePlatformConfig' ? 'platform' : kind === 'CoreProject' ? 'demo' : 'one';
const world = fc.record(
  Object.fromEntries(kinds.map((kind) => [kind, marked(kind, nameOf(kind))])) as Record<KindName, fc.Arbitrary<Marked>>,
);

/** Every machine of every kind, on its stored object. */
const instances = [
  ['build', 'corebuilds:one'],
  ['draftDeploy', 'coredatabases:one'],
  ['provisionRetry', 'coredatabases:one'],
  ['database', 'coredatabases:one'],
  ['provisionRetry', 'coreprojects:demo'],
  ['projectReady', 'coreprojects:demo'],
  ['draftDeploy', 'coreapps:one'],
  ['provisionRetry', 'coreapps:one'],
  ['service', 'coreapps:one'],
  ['logicalDatabase', 'corelogicaldatabases:one'],
  ['dashboardDomainReady', 'coreplatformconfigs:platform'],
  ['dnsProviderReady', 'coreplatformconfigs:platform'],
] as const;

const reads = [
  '/apps',
  '/apps/one',
  '/apps/one/status',
  '/apps/one/changes',
  '/apps/one/deployments',
  '/apps/one/transitions',
  '/builds',
  '/builds?app=open-app',
  '/builds/one',
  '/builds/one/transitions',
  '/builds/one/explain',
  '/machines',
  '/machines/build',
  '/machines/build/instances',
  '/machines/build/transitions',
  ...instances.flatMap(([machine, id]) => [
    `/machines/${machine}/instances`,
    `/machines/${machine}/transitions`,
    // No API server accepts the generated objects, and these explanations rely on their schemas.
    ...['', '/transitions', ...(/^core(databases|apps):/.test(id) ? [] : ['/explain'])].map(
      (part) => `/machines/${machine}/instances/${id}${part}`,
    ),
  ]),
  '/bootstrap',
  '/projects',
  '/projects/demo',
  '/projects/demo/transitions',
  '/projects/demo/explain',
];

/** Reads under /api/v1 alone. */
const readsOfVersion1 = [
  ...['/logical-databases', '/object-stores', '/databases', '/backup-archives', '/nodes'].flatMap((list) => [
    list,
    `${list}/one`,
  ]),
  '/clusters',
  '/platform',
  '/projects/demo/pull-requests',
  ...['pullRequestEnvironment', 'webhookDelivery'].flatMap((machine) => [
    `/machines/${machine}/instances`,
    `/machines/${machine}/transitions`,
  ]),
];
const wholePaths = [
  ...reads.flatMap((path) => [`/api${path}`, `/api/v1${path}`]),
  ...readsOfVersion1.map((path) => `/api/v1${path}`),
];

interface Reader {
  readonly who: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly mayNotSee: readonly string[];
}

let served: Served;
let stops: (() => unknown)[] = [];
let readers: readonly Reader[] = [];
redaction.before.each(async () => {
  served = await serveEverything({ viewer: { role: 'viewer', password: passwordHash, epoch: 0 } });
  const [viewer, observer] = [await serveAs(served, tokenOf('viewer')), await serveAs(served, tokenOf('observer'))];
  stops = [viewer.stop, observer.stop];
  // A service that does not respond may give any reason.
  served.world.git.commit = { is: 'silent', why: hiddenFromBoth };
  const both = [hiddenFromBoth, String(hiddenNumber)];
  readers = [
    {
      who: 'a viewer who is signed in',
      url: served.url,
      headers: { cookie: served.cookieOf({ username: 'viewer' }) },
      mayNotSee: [...both, hiddenFromViewers],
    },
    { who: 'a viewer token', url: viewer.url, headers: {}, mayNotSee: [...both, hiddenFromViewers] },
    { who: 'an observer token', url: observer.url, headers: {}, mayNotSee: both },
  ];
});
redaction.after.each(async () => {
  for (const stop of stops) await stop();
  await served.stop();
});

function clean(text: string, { who, mayNotSee }: Reader, where: string): void {
  for (const mark of mayNotSee) assert.not.match(text, mark, `${who}, ${where}: ${text}`);
}

/** The host of a service is told in its address, which every role reads (decision 12). */
const unpublished = (kind: KindName, object: Marked): Marked =>
  kind === 'CoreApp' ? { ...object, spec: { ...object.spec, networking: {} } } : object;

/** Puts objects into the cluster and waits until the caches hold that version or a later one. */
async function put(objects: Readonly<Record<KindName, Marked>>): Promise<void> {
  for (const kind of kinds) {
    const written = served.world.cluster.put(resources[kind], unpublished(kind, objects[kind]));
    const version = Number(written.metadata.resourceVersion);
    const stored = () => served.operator.caches.get(resources[kind], nameOf(kind))?.metadata.resourceVersion;
    await until(() => Number(stored()) >= version, `${kind} is cached`);
  }
}

redaction('AUT-031 AUT-036 no read shows a role what is hidden from it, for any stored objects', async () => {
  let seen = 0;
  await fc.assert(
    fc.asyncProperty(world, async (objects) => {
      await put(objects);
      for (const reader of readers)
        for (const path of wholePaths) {
          const { status, text } = await ask(`${reader.url}${path}`, { headers: reader.headers });
          assert.is(status, 200, `${reader.who}, ${path}: ${text}`);
          clean(text, reader, path);
          seen += text.length;
        }
      const { text } = await served.ask('/api/bootstrap');
      assert.match(text, hiddenFromBoth, 'an admin reads everything');
    }),
    { numRuns: times(12, 2) },
  );
  assert.ok(seen > 10_000);
});

redaction('AUT-031 AUT-036 no stream or resumed stream shows a role what is hidden from it', async () => {
  const open = await Promise.all(
    readers.map(async (reader) => ({ reader, stream: await listenTo(`${reader.url}/api/v1/events`, reader.headers) })),
  );
  stops.unshift(
    ...open.map(
      ({ stream }) =>
        () =>
          stream.close(),
    ),
  );
  const resume = async (reader: Reader, event: string) => {
    const headers = { ...reader.headers, 'last-event-id': `${served.now()}.uid.1` };
    const resumed = await listenTo(`${reader.url}/api/v1/events`, headers);
    stops.unshift(() => resumed.close());
    await resumed.until((one) => one.event === event && one.data['kind'] === 'CoreBuild', `the resume sends ${event}`);
    clean(JSON.stringify(resumed.heard), reader, `the resume up to ${event}`);
    return resumed.of('move').length;
  };
  for (const objects of fc.sample(world.filter(hasMoves), 8)) await put(asOfNow(objects));
  for (const reader of readers) assert.ok((await resume(reader, 'move')) > 0);
  served.world.cluster.drop(builds, 'one');
  for (const { reader, stream } of open) {
    await stream.until(({ event }) => event === 'deleted', 'the build is deleted');
    assert.ok(stream.of('move').length > 0, 'moves were sent');
    clean(JSON.stringify(stream.heard), reader, 'the stream');
    assert.ok((await resume(reader, 'deleted')) > 0, 'moves of a deleted object are sent');
  }
});

/** Whether the build has moves of its machine, which a resume repeats; one of an item is not of the build itself. */
const hasMoves = ({ CoreBuild: { status } }: Readonly<Record<KindName, Marked>>): boolean =>
  ((status['history'] ?? []) as readonly HistoryEntry[]).some(
    ({ machine, item }) => machine === 'build' && item === undefined,
  );

/** The same objects, with every time set to a moment ago. */
const asOfNow = (objects: Readonly<Record<KindName, Marked>>): typeof objects =>
  JSON.parse(
    JSON.stringify(objects).replaceAll(/2026-01-\d\dT00:00:00.000Z/g, new Date().toISOString()),
  ) as typeof objects;

redaction('AUT-065 a viewer token reads the same as a signed-in viewer', async () => {
  for (const objects of fc.sample(world, 3)) {
    await put(objects);
    for (const path of reads.filter((one) => !one.endsWith('/explain'))) {
      const [signedIn, token] = await Promise.all(
        readers.slice(0, 2).map(async ({ url, headers }) => (await ask(`${url}/api/v1${path}`, { headers })).text),
      );
      assert.is(token, signedIn, path);
    }
  }
});

redaction('AUT-031 a search does not match hidden texts', async () => {
  await served.addApp(
    'shop',
    { repository: 'acme/hush' },
    { phase: 'Failed', logRef: 'pod-log://x/builder', failureReason: 'no access to acme/hush' },
  );
  const found = async (url: string, headers: Readonly<Record<string, string>>) => {
    const { json } = await ask(`${url}/api/v1/machines/build/instances?q=hush`, { headers });
    return (json() as { readonly items: readonly unknown[] }).items.length;
  };
  for (const { url, headers } of readers) assert.is(await found(url, headers), 0);
  assert.is(await found(served.url, { cookie: served.cookieOf() }), 1);
});

redaction('SEC-018 SEC-019 secret values of a spec are returned only to admins by /api/bootstrap', async () => {
  served.world.cluster.put(apps, app('ant', { secretData: { TOKEN: 'hush' } }));
  await until(() => served.operator.caches.get(apps, 'ant'), 'the app is cached');
  assert.match((await served.ask('/api/bootstrap')).text, '"secretData":{"TOKEN":"hush"}');
  for (const path of ['/api/v1/bootstrap', '/api/v1/apps/ant', '/api/apps/ant'])
    assert.match((await served.ask(path)).text, '"secretData":{"TOKEN":""}', path);
  const [signedIn, viewer, observer] = await Promise.all(
    readers.map(async ({ url, headers }) => (await ask(`${url}/api/bootstrap`, { headers })).text),
  );
  assert.not.match(`${signedIn}${viewer}`, 'TOKEN');
  assert.match(observer ?? '', '"secretData":{"TOKEN":""}');
});

/** Each list of the whole-platform read, with its kind. */
const lists: Readonly<Record<Exclude<keyof Bootstrap, 'platform' | 'continue'>, KindName>> = {
  projects: 'CoreProject',
  apps: 'CoreApp',
  builds: 'CoreBuild',
  databases: 'CoreDatabase',
  logicalDatabases: 'CoreLogicalDatabase',
  objectStores: 'CoreObjectStore',
  backupArchives: 'CoreBackupArchive',
  deployments: 'CoreDeployment',
  clusters: 'CoreCluster',
  nodes: 'CoreNode',
  connections: 'CoreGitHostConnection',
  cloudConnections: 'CoreCloudConnection',
  consoleSessions: 'CoreConsoleSession',
  haReadiness: 'CoreHAReadiness',
  networkLogs: 'CoreNetworkLog',
};
const namesOf = (listed: readonly Stored[]) => listed.map(({ metadata }) => metadata.name);

redaction('API-003 the whole-platform read lists the objects of every kind by name', async () => {
  assert.equal(Object.values(lists).toSorted(), kinds.filter((kind) => kind !== 'CorePlatformConfig').toSorted());
  const empty = (await served.ask('/api/bootstrap')).json() as Bootstrap;
  assert.equal(empty, { ...Object.fromEntries(Object.keys(lists).map((list) => [list, []])), platform: null });
  for (const objects of fc.sample(world, 1)) await put(objects);
  served.world.cluster.put(apps, app('ant'));
  await until(() => served.operator.caches.get(apps, 'ant'), 'the app is cached');
  for (const path of ['/api/bootstrap', '/api/v1/bootstrap']) {
    const { platform, continue: _, ...told } = (await served.ask(path)).json() as Bootstrap;
    assert.is(platform?.metadata.name, 'platform');
    for (const [list, kind] of Object.entries(lists))
      assert.equal(
        namesOf(told[list as keyof typeof told]),
        kind === 'CoreApp' ? ['ant', 'one'] : [nameOf(kind)],
        list,
      );
  }
});

redaction(
  'AUT-034 AUT-073 the whole-platform read hides connections, consoles and archive storage from every role',
  async () => {
    for (const objects of fc.sample(world, 1)) await put(objects);
    const whole = (await served.ask('/api/bootstrap')).json() as Bootstrap;
    assert.ok(whole.backupArchives[0]?.spec['storage'], 'an admin reads the storage');
    for (const { who, url, headers } of readers)
      for (const path of ['/api/bootstrap', '/api/v1/bootstrap']) {
        const { platform, ...shown } = (await ask(`${url}${path}`, { headers })).json() as Bootstrap;
        const hidden = ['connections', 'cloudConnections', 'consoleSessions', 'networkLogs'];
        assert.is(platform?.metadata.name, 'platform');
        for (const [list, items] of Object.entries(shown)) assert.is(items.length, hidden.includes(list) ? 0 : 1, list);
        assert.is(shown.backupArchives[0]?.spec['storage'], undefined, who);
      }
  },
);

redaction('an ETag of one role gives no 304 to another role', async () => {
  await served.addApp('shop');
  for (const path of ['/apps/shop', '/builds/shop-build-1', '/builds/shop-build-1/transitions']) {
    const { etag = '' } = (await served.ask(`/api/v1${path}`)).headers;
    const [viewer] = readers;
    const asked = { headers: { ...viewer?.headers, 'if-none-match': etag } };
    const { status, text } = await ask(`${viewer?.url}/api/v1${path}`, asked);
    assert.is(status, path.endsWith('transitions') ? status : 200, path);
    assert.not.match(text, 'demo/shop');
    assert.is(
      (await served.ask(`/api/v1${path}`, { headers: { 'if-none-match': etag } })).status,
      304,
      'the admin has it',
    );
  }
});

redaction('AUT-031 AUT-036 an explanation hides from roles why a fact is unknown or a pass failed', () => {
  const placed = placedOn(served.operator, tables, { kind: 'CoreBuild', machine: 'build' });
  const passes = { failure: { text: hiddenFromBoth, count: 2 } };
  const explained: Explained = {
    state: 'Pending',
    shown: 'Pending',
    since: '2026-01-01T00:00:00.000Z',
    now: '2026-01-01T00:00:00.000Z',
    paused: false,
    decision: { is: 'unknown', fact: 'commit' as never, why: hiddenFromBoth, tried: [] },
    says: sentence('commit could not be read: {why}', { why: hidden(hiddenFromBoth) }),
    tried: [],
    facts: { commit: { is: 'unknown', why: hiddenFromBoth } },
    observedAt: null,
    failing: [],
  };
  const told = (view: View) =>
    JSON.stringify(explanationOf(placed, { name: 'b', explained, passes, notes: [], isLeading: true, view }));
  assert.is(told('whole').split(hiddenFromBoth).length, 5, 'an admin reads all four');
  for (const view of ['viewer', 'observer'] as const) {
    assert.not.match(told(view), hiddenFromBoth);
    assert.match(told(view), '"count":2');
    assert.match(told(view), 'commit could not be read');
  }
});

redaction('AUT-031 AUT-036 an explanation names what keeps failing, and its cause only to admins', () => {
  const placed = placedOn(served.operator, tables, { kind: 'CoreBuild', machine: 'build' });
  const explained: Explained = {
    state: 'Succeeded',
    shown: 'Succeeded',
    since: '2026-01-01T00:00:00.000Z',
    now: '2026-01-01T00:00:00.000Z',
    paused: false,
    decision: { is: 'nothing', tried: [] },
    says: open('nothing to do now'),
    tried: [],
    facts: {},
    observedAt: null,
    failing: [ensureFailed('CoreBuild', 'logArchived', hiddenFromBoth)],
  };
  const told = (view: View) =>
    explanationOf(placed, { name: 'b', explained, passes: { failure: null }, notes: [], isLeading: true, view }).text;
  assert.is(told('whole'), `the log could not be archived: ${hiddenFromBoth}`);
  assert.match(told('viewer'), /^the log could not be archived: /);
  assert.not.match(told('viewer'), hiddenFromBoth);
});

redaction.run();
