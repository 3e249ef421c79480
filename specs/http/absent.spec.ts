import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { kinds } from '../../crds/kinds.ts';
import { projects } from '../../runtime/services/cluster/kinds.ts';
import { putCluster, putProject } from '../support/project.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { serve, type Served } from './served.ts';

const spec = suite('features absent from the API');
let served: Served;
spec.before(async () => {
  served = await serve();
  putCluster(served.world);
  putProject(served.world);
  await until(() => served.operator.caches.get(projects, 'shop')?.status?.phase === 'ProjectReady', 'it is set up');
});
spec.after(() => served.stop());

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
}
interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}
const described = async () => (await served.ask('/api/v1/openapi.json')).json() as Described;

const dashboard = new URL('../../http/dashboard', import.meta.url).pathname;
/** Everything that a user meets: the described API, the schemas of the kinds, the pages of the dashboard. */
async function surfaces(): Promise<readonly (readonly [where: string, text: string])[]> {
  const pages = readdirSync(dashboard, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(tsx?|html)$/.test(name),
  );
  return [
    ['the API', JSON.stringify(await described())],
    ...kinds.map((kind) => [kind.kind, JSON.stringify(kind)] as const),
    ...pages.map((name) => [name, readFileSync(join(dashboard, name), 'utf8')] as const),
  ];
}
const naming = async (word: RegExp) => (await surfaces()).filter(([, text]) => word.test(text)).map(([where]) => where);

spec('AUT-062 the API has no route of two-factor authentication or single sign-on', async () => {
  assert.equal(
    await naming(
      /two-?factor|\b2fa\b|\bmfa\b|\b[th]otp\b|one-time (code|password)|webauthn|passkey|single sign|\bsso\b|\bsaml\b|\boidc\b|openid/i,
    ),
    [],
  );
  const fields = { username: 'admin', password: 'wrong', code: '123456' };
  const { status, text } = await served.post('/api/login', fields);
  assert.equal([status, text], [400, JSON.stringify({ error: 'unknown field "code"' })]);
});

spec('SEC-035 the API keeps no audit trail of who changes a setting', async () => {
  assert.equal(await naming(/\baudit/i), []);
  const { cluster } = served.world;
  const versions = () =>
    new Map(cluster.everything().map(({ kind, metadata }) => [`${kind} ${metadata.name}`, metadata.resourceVersion]));
  const before = versions();
  served.lines.length = 0;
  const asked = {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: '{"displayName":"the-new-name"}',
  };
  assert.is((await served.ask('/api/v1/projects/shop', asked)).status, 200);
  await until(() => served.lines.length > 0, 'the request is logged');
  const changed = [...versions()].filter(([key, version]) => before.get(key) !== version).map(([key]) => key);
  assert.equal(changed, ['CoreProject shop']);
  assert.not.match(JSON.stringify(cluster.all(projects)), '"admin"');
  assert.not.match(JSON.stringify(served.lines), /the-new-name|admin/);
});

const written = ['status', 'metadata', 'finalizers', 'annotations', 'labels', 'ownerReferences'];
const propertiesOf = (schema: object, { schemas }: Described['components']): readonly string[] => {
  const { $ref, properties = {} } = schema as { readonly $ref?: string; readonly properties?: object };
  const named = schemas[$ref?.split('/').at(-1) ?? ''];
  return named ? propertiesOf(named, { schemas }) : Object.keys(properties);
};

spec('KND-042 no request writes a status, a finalizer or an annotation', async () => {
  const { paths, components } = await described();
  const bodies = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]) =>
      Object.values(requestBody?.content ?? {}).map(({ schema }) => ({ route: `${method} ${path}`, schema })),
    ),
  );
  assert.ok(bodies.length > 20);
  for (const { route, schema } of bodies)
    assert.equal(
      propertiesOf(schema, components).filter((name) => written.includes(name)),
      [],
      route,
    );
  for (const name of written) {
    const asked = {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ [name]: {} }),
    };
    const { status, text } = await served.ask('/api/v1/projects/shop', asked);
    assert.equal([status, text], [400, JSON.stringify({ error: `unknown field "${name}"` })]);
  }
});

spec(
  'DEP-005 KND-041 BAK-033 the API reads records, builds, sessions, archives and network logs and never writes them',
  async () => {
    const { paths } = await described();
    const ofRecords = /\/(deployments|builds|backup-archives|archives|console-sessions|network-logs)\b/;
    const writing = Object.entries(paths)
      .filter(([path]) => ofRecords.test(path))
      .flatMap(([path, operations]) => Object.keys(operations).map((method) => `${method} ${path}`))
      .filter((route) => !route.startsWith('get '));
    assert.equal(
      writing,
      ['/builds/{build}', '/backup-archives/{archive}'].flatMap((at) => [`post ${at}/reconcile`, `post ${at}/look`]),
    );
    const json = { headers: { 'content-type': 'application/json' }, body: '{}' };
    for (const method of ['PUT', 'PATCH', 'DELETE', 'POST'])
      for (const path of ['/backup-archives', '/backup-archives/one']) {
        const { status, text } = await served.ask(`/api/v1${path}`, { method, ...(method !== 'DELETE' && json) });
        assert.ok([404, 405].includes(status), `${method} ${path}: ${status} ${text}`);
      }
  },
);

spec.run();
