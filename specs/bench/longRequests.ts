import { type Agent, request } from 'node:https';
import { type ApiAccess, atApi, caller, configMap, path } from './embeddedClient.ts';
import { timed, waiting } from './longLists.ts';

/** What the long requests of one caller do to those of others, at the embedded API. */
export interface LongRequestFigures {
  /** The longest that a `GET /version` took beside each of them. */
  readonly waits: readonly { readonly beside: string; readonly ms: number; readonly parseMs: number }[];
  /** 5 kB of YAML of a stranger beside a caller who sends long texts only. */
  readonly strangerMs: number;
  /** One long text, with nobody else. */
  readonly longMs: number;
}

const keys = 29_000;
const flood = 24;
const rounds = 3;

const lines = (count: number) => Array.from({ length: count }, (_, index) => `  k${index}: v`).join('\n');
const yaml = (name: string, count: number) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata:\n${lines(count)}\n`;
const manyKeys = (name: string, value: string) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: Object.fromEntries(Array.from({ length: keys }, (_, index) => [`k${index}`, value])),
  });

export const longRequests = (): Promise<LongRequestFigures> =>
  atApi(async (access, agent) => {
    const admin = caller(access, agent);
    const send = sender(access, agent);
    const stranger = sender({ ...access, token: await strangerToken(admin) }, agent);
    await admin('POST', path, configMap('pointed'));
    const pointer = (at: string) => JSON.stringify([{ op: 'add', path: at, value: 'x' }]);
    const apply = (value: string) =>
      send('PATCH', `${path}/applied?fieldManager=bench`, manyKeys('applied', value), 'application/apply-patch+yaml');
    const jsonPatch = (at: string) => send('PATCH', `${path}/pointed`, pointer(at), 'application/json-patch+json');
    const long: Readonly<Record<string, (round: number) => Promise<unknown>>> = {
      '29,000 keys by apply': (round) => apply(`v${round}`),
      'a JSON patch with a path of 2 MB, of steps': () => jsonPatch('/a'.repeat(1_000_000)),
      'the same, of one step': () => jsonPatch(`/data/${'~1'.repeat(1_000_000)}`),
      '/openapi/v2': () => send('GET', '/openapi/v2'),
    };
    const waits = [];
    for (const [beside, act] of Object.entries(long)) {
      const measured = [];
      for (let round = 0; round < rounds; round += 1) {
        const others = waiting(() => admin('GET', '/version'));
        await act(round);
        measured.push({ beside, ms: await others(), parseMs: parseMs() });
      }
      // Also the first, which warms it up: nobody else waits longer either.
      waits.push(measured.reduce((most, one) => (one.ms > most.ms ? one : most)));
    }
    const longMs = await timed(() => send('POST', `${path}?dryRun=All`, yaml('long', keys), 'application/yaml'));
    const flooding = Array.from({ length: flood }, () =>
      send('POST', `${path}?dryRun=All`, yaml('flood', keys), 'application/yaml'),
    );
    await new Promise((go) => setTimeout(go, 200));
    const strangerMs = await timed(() =>
      stranger('POST', `${path}?dryRun=All`, yaml('short', 400), 'application/yaml'),
    );
    await Promise.all(flooding);
    return { waits, strangerMs, longMs };
  });

/** The least that anybody could do with 29,000 keys, at the same moment. */
function parseMs(): number {
  const text = manyKeys('parsed', 'v');
  const start = performance.now();
  JSON.stringify(JSON.parse(text));
  return performance.now() - start;
}

/** Whatever is answered: what is measured may well be refused. */
const sender =
  ({ url, token }: ApiAccess, agent: Agent) =>
  (method: string, to: string, body?: string, type = 'application/json') =>
    new Promise<void>((done, failed) => {
      const length = body === undefined ? {} : { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) };
      const headers = { Authorization: `Bearer ${token}`, ...length };
      request(`${url}${to}`, { method, agent, headers }, (response) => response.once('end', done).resume())
        .once('error', failed)
        .end(body);
    });

async function strangerToken(admin: ReturnType<typeof caller>): Promise<string> {
  const accounts = '/api/v1/namespaces/core-system/serviceaccounts';
  const rbac = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
  await admin('POST', accounts, JSON.stringify({ metadata: { name: 'stranger' } }));
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' };
  const subjects = [{ kind: 'ServiceAccount', name: 'stranger', namespace: 'core-system' }];
  await admin('POST', rbac, JSON.stringify({ metadata: { name: 'stranger' }, roleRef, subjects }));
  let token = '';
  const asked = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} });
  await admin('POST', `${accounts}/stranger/token`, asked, {
    read: (text) => {
      token = (JSON.parse(text) as { readonly status: { readonly token: string } }).status.token;
    },
  });
  return token;
}
