import type { Answer } from './scripted.ts';

/** One command, what the server says to it, and what it sends. */
export interface Case {
  readonly line: readonly string[];
  readonly answers: Readonly<Record<string, readonly Answer[]>>;
  /** The requests in their order. */
  readonly sends: readonly string[];
  readonly prints: RegExp;
}

const json = (value: unknown): readonly Answer[] => [{ json: value }];
const createdAt = '2026-01-01T00:00:00.000Z';

export const summary = (name: string, fields: object = {}) => ({
  kind: 'CoreApp',
  name,
  displayName: name,
  project: 'shop',
  environment: 'production',
  state: 'ready',
  message: '',
  createdAt,
  url: '',
  details: { source: 'image', image: 'nginx:1.27' },
  ...fields,
});

export const statusOf = (name: string, fields: object = {}) => ({
  name,
  project: 'shop',
  environment: 'production',
  state: 'ready',
  message: 'Service is running',
  url: '',
  ready: true,
  pendingChanges: false,
  sleeping: false,
  replicas: { desired: 2, ready: 2, available: 2 },
  scaleToZero: { idleSeconds: 300, maxReplicas: 1, active: true },
  build: null,
  lastAttempt: null,
  ...fields,
});

/** A cause as the server gives it. */
export const causeOf = (fields: object = {}) => ({
  of: 'Ready',
  reason: 'SecretMissing',
  severity: 'failure',
  message: 'Secret "token" is missing',
  hint: 'kubectl create secret generic token -n shop, or set the variable.',
  on: { kind: 'Secret', name: 'token', namespace: 'shop' },
  root: null,
  since: createdAt,
  count: null,
  lastAt: '',
  exitCode: null,
  logLine: '',
  gaveUp: false,
  resolved: false,
  ...fields,
});

const attention = {
  items: [
    {
      id: '0a1b2c',
      word: 'Retrying',
      object: {
        kind: 'CoreProject',
        name: 'shop',
        displayName: 'Shop',
        project: 'shop',
        environment: '',
        state: 'pending',
      },
      cause: causeOf(),
      holdsUp: [],
      holdsUpCount: 5,
      since: createdAt,
      canRetry: false,
    },
  ],
  counts: { failed: 0, atRisk: 0, crashing: 0, retrying: 1, stuck: 0 },
};

export const deployment = (id: string) => ({
  id,
  phase: 'Recorded',
  image: '',
  commit: '',
  trigger: '',
  actor: 'admin',
  changeTitle: '',
  createdAt,
  startedAt: null,
  completedAt: null,
});

const deployed = { name: 'web', kind: 'CoreApp', deployed: true, deployment: 'web-1', state: 'pending' };
const created = {
  name: 'web',
  kind: 'CoreApp',
  project: 'shop',
  environment: 'production',
  deployed: false,
  draft: true,
};
const identity = {
  username: 'token:ci',
  role: 'admin',
  scope: 'workspace',
  canMutate: true,
  canReadSensitive: true,
  authentication: 'token',
};
const explanation = {
  name: 'web',
  machine: 'service',
  state: 'Ready',
  shown: 'Ready',
  since: createdAt,
  now: createdAt,
  paused: false,
  text: 'everything runs as deployed',
  decision: { is: 'rests' },
  restsUntil: 'the spec changes',
  tried: [],
  facts: {},
  notes: [],
  next: [],
};
const compliance = { project: 'shop', requiredTags: ['eu'], region: '', checks: [], resources: [] };
const written = { name: 'web', key: 'A', kind: 'config', pending: true };
const of = (line: string) => line.split(' ');
const get = (line: string, path: string, answer: unknown, prints: RegExp): Case => ({
  line: of(line),
  answers: { [`GET ${path}`]: json(answer) },
  sends: [`GET ${path}`],
  prints,
});
const items = (...all: readonly unknown[]) => ({ items: all });

/** Every command that asks the API, as often as it asks in a different way. */
export const cases: readonly Case[] = [
  get('whoami', '/me', identity, /^token:ci at /),
  get(
    'apps list',
    '/apps',
    items(summary('web')),
    /^NAME +PROJECT +ENV +STATE +DETAIL +AGE\nweb +shop +production +ready +nginx:1\.27 +\d+d\n$/,
  ),
  get('service ls', '/apps', items(), /^NAME /),
  get('apps get web', '/apps/web', { resource: summary('web'), spec: {}, status: {} }, /^\{\n {2}"resource": \{\n/),
  get(
    'projects list',
    '/projects',
    items(summary('shop', { project: '', environment: '', details: { environments: ['a', 'b'] } })),
    /\nshop +- +- +ready +a, b /,
  ),
  get('projects get shop', '/projects/shop', { resource: {}, spec: {}, status: {} }, /"spec"/),
  get(
    'databases list',
    '/databases',
    items(summary('db', { details: { engine: 'postgres', host: '' } })),
    / postgres /,
  ),
  get('databases get db', '/databases/db', { resource: {}, spec: {}, status: {} }, /"spec"/),
  get('stores list', '/object-stores', items(summary('s', { details: { bucket: 'b' } })), / b /),
  get('stores get s', '/object-stores/s', { resource: {}, spec: {}, status: {} }, /"spec"/),
  {
    line: ['status'],
    answers: {
      'GET /apps': json(items(summary('a'), summary('b'))),
      'GET /apps/a/status': json(statusOf('a')),
      'GET /apps/b/status': json(statusOf('b')),
    },
    sends: ['GET /apps', 'GET /apps/a/status', 'GET /apps/b/status'],
    prints: /^NAME +STATE +READY +BUILD +URL +MESSAGE\na +ready +2\/2 +- +- +Service is running\nb /,
  },
  get('apps status web', '/apps/web/status', statusOf('web'), /\nweb /),
  {
    line: of('deploy web'),
    answers: { 'POST /apps/web/deploy': json(deployed) },
    sends: ['POST /apps/web/deploy'],
    prints: /^$/,
  },
  get(
    'apps deployments web',
    '/apps/web/deployments',
    items(deployment('web-2'), deployment('web-1')),
    /^ID +PHASE +AGE +TRIGGER +ACTOR +CHANGE\nweb-2 +Recorded +\d+d +- +admin +-\nweb-1 /,
  ),
  get(
    'logs web',
    '/apps/web/logs',
    {
      items: [{ t: createdAt, service: 'web', pod: 'web-ab-x1', container: 'app', line: 'hello', level: 'info' }],
      missing: [],
    },
    /^00:00:00 x1 hello\n$/,
  ),
  get(
    'env list web',
    '/apps/web/variables',
    items({ name: 'A', kind: 'config', injected: false, from: '', value: 'shown' }),
    /^NAME +KIND\nA +config\n$/,
  ),
  {
    line: of('env set web A=1 B=2=3'),
    answers: { 'POST /apps/web/config/set': json(written) },
    sends: ['POST /apps/web/config/set', 'POST /apps/web/config/set'],
    prints: /^set A\nset B\npending: run 'core deploy web' to apply it\n$/,
  },
  {
    line: of('env set web A=1 --secret --deploy'),
    answers: { 'POST /apps/web/secrets/set': json(written), 'POST /apps/web/deploy': json(deployed) },
    sends: ['POST /apps/web/secrets/set', 'POST /apps/web/deploy'],
    prints: /^set A\n$/,
  },
  {
    line: of('env unset web A'),
    answers: {
      'POST /apps/web/config/delete': json({ ...written, removed: false }),
      'POST /apps/web/secrets/delete': json({ ...written, removed: true }),
    },
    sends: ['POST /apps/web/config/delete', 'POST /apps/web/secrets/delete'],
    prints: /^removed A\npending: /,
  },
  {
    line: of('env unset web A --secret'),
    answers: { 'POST /apps/web/secrets/delete': json({ ...written, removed: false, pending: false }) },
    sends: ['POST /apps/web/secrets/delete'],
    prints: /^$/,
  },
  {
    line: of('scale web 3'),
    answers: { 'POST /apps/web/scale': json({ name: 'web', replicas: 3, state: 'pending' }) },
    sends: ['POST /apps/web/scale'],
    prints: /^web scaled to 3\n$/,
  },
  {
    line: of('rollback web'),
    answers: {
      'GET /apps/web/deployments': json(items(deployment('web-3'), deployment('web-2'), deployment('web-1'))),
      'POST /apps/web/rollback': json(deployed),
    },
    sends: ['GET /apps/web/deployments', 'POST /apps/web/rollback'],
    prints: /^web rolled back to web-2\n$/,
  },
  {
    line: of('apps create web --image nginx -p shop -e production'),
    answers: { 'POST /apps': json(created) },
    sends: ['POST /apps'],
    prints: /^Created web as a draft\.\n$/,
  },
  {
    line: of('apps delete web --yes'),
    answers: { 'DELETE /apps/web': json({ name: 'web', kind: 'CoreApp', deleted: true }) },
    sends: ['DELETE /apps/web'],
    prints: /^Deleted web\n$/,
  },
  get(
    'metrics web',
    '/apps/web/metrics',
    { window: '1h', step: 30, available: true, series: { cpu: [{ t: 1, v: 0.25 }] } },
    /\ncpu +0\.25 +\(0\.25 - 0\.25\) +cores\n/,
  ),
  get(
    'databases connection db',
    '/databases/db/connection',
    { host: 'h', port: '5432', database: 'd', username: 'u' },
    /^host: h\nport: 5432\ndatabase: d\nusername: u\n$/,
  ),
  {
    line: of('databases deploy db'),
    answers: { 'POST /databases/db/deploy': json({ ...deployed, name: 'db' }) },
    sends: ['POST /databases/db/deploy'],
    prints: /^db is deploying\.\n$/,
  },
  {
    line: of('databases retry db'),
    answers: { 'POST /databases/db/retry': json({ name: 'db', state: 'pending' }) },
    sends: ['POST /databases/db/retry'],
    prints: /^db is provisioned again\.\n$/,
  },
  {
    line: of('databases backups db'),
    answers: {
      'GET /backup-archives': json(items(summary('db-archive', { details: { database: 'db' } }), summary('other'))),
      'GET /backup-archives/db-archive': json({
        resource: summary('db-archive'),
        spec: {},
        status: { restorePoints: [{ id: 'base-1', time: createdAt }] },
      }),
    },
    sends: ['GET /backup-archives', 'GET /backup-archives/db-archive'],
    prints: /\ndb-archive +base-1 +2026-01-01T/,
  },
  {
    line: of('databases restore db-archive --name copy -p shop -e production'),
    answers: { 'POST /databases/restore': json({ ...created, name: 'copy', deployed: true }) },
    sends: ['POST /databases/restore'],
    prints: /^copy is being restored\.\n$/,
  },
  get(
    'functions list',
    '/apps',
    items(summary('web'), summary('fn', { details: { source: 'function', runtime: 'bun' } })),
    /^NAME[^\n]+\nfn +shop +production +ready +bun +\d+d\n$/,
  ),
  get('fn get fn', '/apps/fn', { resource: {}, spec: {}, status: {} }, /"spec"/),
  {
    line: of('function call fn --data hi --path /x --method PUT'),
    answers: { 'POST /apps/fn/call': json({ status: 200, headers: {}, body: 'done', durationMs: 1 }) },
    sends: ['POST /apps/fn/call'],
    prints: /^done\n$/,
  },
  get(
    'functions triggers list fn',
    '/apps/fn/triggers',
    items({ name: 'nightly', cron: '0 3 * * *', lastAt: null, nextAt: createdAt }),
    /\nnightly +0 3 \* \* \* +- +2026/,
  ),
  {
    line: ['functions', 'triggers', 'add', 'fn', 'nightly', '--cron', '0 3 * * *'],
    answers: { 'POST /apps/fn/triggers': json({}) },
    sends: ['POST /apps/fn/triggers'],
    prints: /^added nightly\n$/,
  },
  {
    line: of('functions triggers remove fn nightly'),
    answers: { 'DELETE /apps/fn/triggers/nightly': json({}) },
    sends: ['DELETE /apps/fn/triggers/nightly'],
    prints: /^removed nightly\n$/,
  },
  get(
    'nodes list',
    '/nodes',
    items(summary('one', { details: { region: 'eu', tags: ['a', 'b'], reserved: '' } })),
    /^NAME +REGION +TAGS +RESERVED +STATE +AGE\none +eu +a, b +- +ready /,
  ),
  get('nodes get one', '/nodes/one', { resource: {}, spec: {}, status: {} }, /"spec"/),
  {
    line: of('nodes tag one b c'),
    answers: { 'GET /nodes/one': json({ spec: { tags: ['a', 'b'] } }), 'POST /nodes/one/tags': json({}) },
    sends: ['GET /nodes/one', 'POST /nodes/one/tags'],
    prints: /^one tagged a, b, c\n$/,
  },
  get(
    'compliance get -p shop',
    '/projects/shop/compliance',
    { ...compliance, checks: [{ check: 'tagsExist', ok: false, message: 'no node' }] },
    /^CHECK +OK +MESSAGE\ntagsExist +no +no node\n$/,
  ),
  {
    line: of('compliance set eu -p shop'),
    answers: { 'POST /projects/shop/compliance': json(compliance) },
    sends: ['POST /projects/shop/compliance'],
    prints: /^shop now requires eu\n$/,
  },
  {
    line: of('compliance clear -p shop'),
    answers: { 'POST /projects/shop/compliance': json({ ...compliance, requiredTags: [] }) },
    sends: ['POST /projects/shop/compliance'],
    prints: /^shop requires no tags\n$/,
  },
  get(
    'explain web',
    '/apps/web/explain',
    items(explanation),
    /^service: Ready for \d+d\n {2}everything runs as deployed\n/,
  ),
  {
    line: ['attention', '-p', 'shop', '-e', 'production'],
    answers: { 'GET /attention': json(attention) },
    sends: ['GET /attention'],
    prints: /^WORD +OBJECT +CAUSE +HOLDS +SINCE\nRetrying +CoreProject shop +Secret "token" is missing +5 /,
  },
  get('explain build web-1', '/builds/web-1/explain', explanation, /^service: Ready/),
  get(
    'history databases db',
    '/databases/db/transitions',
    {
      name: 'db',
      items: [{ seq: 1, machine: 'm', from: 'A', event: 'e', to: 'B', by: 'operator', at: createdAt, text: 'why' }],
    },
    /\n2026\S+ +m +A +e +B +operator +why\n$/,
  ),
  get(
    'machines',
    '/machines',
    items({ name: 'build', counts: { Running: 2, Failed: 0 }, retrying: 1 }),
    /\nbuild +Running 2 +1\n$/,
  ),
  get('machines build', '/machines/build', { name: 'build', counts: { Running: 2 }, retrying: 0 }, /\nRunning +2\n$/),
  get('api GET /apps', '/apps', items(), /^\{\n {2}"items": \[\]\n\}\n$/),
  get('openapi', '/openapi.json', { openapi: '3.1.0' }, /"openapi": "3\.1\.0"/),
];
