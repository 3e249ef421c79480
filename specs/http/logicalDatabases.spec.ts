import * as assert from 'uvu/assert';
import { commands } from '../../http/cli/tree.ts';
import type { Command } from '../../http/cli/command.ts';
import { databases, logicalDatabases, projects } from '../../runtime/services/cluster/kinds.ts';
import { workloadPods } from '../../runtime/controllers/capacity.ts';
import { putDatabaseEnvironment } from '../support/database.ts';
import { jobEnds, jobIn, logicalIn, logicalText, putServer, serverName } from '../support/logicalDatabase.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { terminal } from './cli/terminal.ts';
import { serve, type Served } from './served.ts';

const spec = suite('logical databases over REST');
const at = '/api/v1/logical-databases';
const asked = {
  project: 'shop',
  environment: 'production',
  server: serverName,
  databaseName: 'recipes',
  name: 'recipes',
};
let served: Served;

spec.before.each(async () => {
  served = await serve();
  putDatabaseEnvironment(served.world);
  await until(() => served.operator.caches.get(projects, 'shop'), 'the project is cached');
});
spec.after.each(() => served.stop());

const said = ({ status, text }: { readonly status: number; readonly text: string }) =>
  `${status} ${(JSON.parse(text) as { readonly error?: string }).error ?? ''}`;
const bodyOf = ({ text }: { readonly text: string }) => JSON.parse(text) as Readonly<Record<string, unknown>>;
const post = async (fields: object) => said(await served.post(at, { ...asked, ...fields }));

spec('LDB-068 the raw API command creates a logical database, which no other command does', async () => {
  await withServer();
  const named = (list: readonly Command[]): readonly string[] =>
    list.flatMap((command) => [command.name, ...(command.is === 'group' ? named(command.commands) : [])]);
  assert.equal(
    named(commands).filter((name) => name.includes('logical')),
    [],
  );
  const { token } = await served.makeToken({ name: 'ci', role: 'admin' });
  const shell = terminal({ env: { CORE_URL: served.url, CORE_TOKEN: token } });
  try {
    const { exit, err } = await shell.core(['api', 'POST', '/logical-databases', '-d', JSON.stringify(asked)]);
    assert.is(exit, 0, err);
    assert.ok(logicalIn(served.world, 'recipes'));
  } finally {
    shell.clean();
  }
});

/** The server stays as it was put: its own controller is told to leave it alone. */
async function withServer(given: Parameters<typeof putServer>[1] = {}): Promise<void> {
  putServer(served.world, {
    ...given,
    annotations: { ...given.annotations, 'core.platform/paused': 'true' },
  });
  await until(() => served.operator.caches.get(databases, serverName), 'the server is cached');
}

spec(
  'LDB-003 LDB-062 LDB-063 LDB-064 LDB-066 LDB-067 AUT-066 AUT-067 a logical database is created, read, listed and connected without a draft',
  async () => {
    await withServer();
    const made = await served.post(at, asked);
    assert.is(made.status, 201, made.text);
    assert.equal(bodyOf(made), { kind: 'CoreLogicalDatabase', ...asked });
    assert.is(logicalIn(served.world, 'recipes')?.metadata.namespace, 'core-system');
    const list = async () =>
      (bodyOf(await served.ask(`${at}?project=shop`))['items'] as readonly Readonly<Record<string, unknown>>[])[0];
    assert.is((await list())?.['state'], 'pending');
    assert.is(said(await served.ask(`${at}/recipes/connection`)), '409 the logical database has no connection yet');
    await until(() => jobIn(served.world, 'create'), 'its Job is created');
    jobEnds(served.world, 'create', 'Complete');
    await until(() => logicalIn(served.world, 'recipes')?.status?.phase === 'Ready', 'it is Ready');
    await until(async () => (await list())?.['state'] === 'ready', 'the list shows the state');
    assert.equal((await list())?.['details'], {
      server: serverName,
      database: 'shop_production_recipes',
      reason: 'LogicalDatabaseReady',
    });
    const plain = bodyOf(await served.ask(`${at}/recipes/connection`));
    assert.equal(Object.keys(plain).toSorted(), ['database', 'host', 'port', 'username']);
    const revealed = bodyOf(await served.ask(`${at}/recipes/connection?reveal=true`));
    assert.is(revealed['password'], logicalText(served.world, 'password'));
    const { resource } = bodyOf(await served.ask(`${at}/recipes`)) as { readonly resource: { readonly state: string } };
    assert.is(resource.state, 'ready');
    for (const part of ['explain', 'transitions'])
      assert.is((await served.ask(`${at}/recipes/${part}`)).status, 200, part);
    assert.is((await served.post(`${at}/recipes/look`, {})).status, 200);
  },
);

spec(
  'LDB-084 LDB-085 LDB-086 LDB-087 LDB-088 LDB-089 LDB-091 an impossible logical database is refused with the documented sentence',
  async () => {
    assert.is(await post({}), '400 That database server does not exist');
    await withServer({ annotations: { 'core.platform/node-placement': '{"region":"us"}' } });
    assert.is(
      await post({}),
      '400 This server runs in the us region, but the project runs in the local region. Every query would cross regions',
    );
    await withServer({ spec: { engine: 'Redis' } });
    const engine = '400 A database can only be created on a Postgres or MySQL server';
    assert.is(await post({}), engine);
    await withServer({ spec: { placement: 'External' } });
    assert.is(await post({}), engine);
    await withServer({ isShared: false, spec: { project: 'shop', environment: 'staging' } });
    assert.is(await post({}), '400 That server belongs to another project or environment');
    await withServer();
    for (const connectionLimit of [1.5, 0, 1001, 'many', '5', '', true, [5], null])
      assert.is(await post({ connectionLimit }), '400 The connection limit must be a whole number from 1 to 1000');
    const name = '400 database name must contain only letters, numbers, and underscores';
    assert.is(await post({ databaseName: 'a;b' }), name);
    assert.is(await post({ environment: 'gone' }), '400 project "shop" has no gone environment');
    assert.is((await served.post(at, { ...asked, connectionLimit: 5 })).status, 201);
    await until(() => served.operator.caches.get(logicalDatabases, 'recipes'), 'it is cached');
    assert.is(await post({}), '409 logical database already exists');
    assert.is(await post({ name: 'another' }), '409 logical database already exists');
    assert.is(logicalIn(served.world, 'recipes')?.spec.connectionLimit, 5);
  },
);

spec('LDB-088 a form sends the connection limit as a text that is converted to a number', async () => {
  await withServer();
  const sendForm = async (connectionLimit: string) =>
    served.ask(at, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...asked, connectionLimit }).toString(),
    });
  for (const word of ['0', '1001', '1.5', '-5', 'many'])
    assert.is(
      said(await sendForm(word)),
      '400 The connection limit must be a whole number from 1 to 1000',
      JSON.stringify(word),
    );
  assert.is((await sendForm('5')).status, 201);
  assert.is(logicalIn(served.world, 'recipes')?.spec.connectionLimit, 5);
});

spec(
  'LDB-065 LDB-100 a retry needs a failed provisioning, and a deletion needs no name but refuses a wrong one',
  async () => {
    await withServer();
    await served.post('/api/logical-databases', asked);
    await until(() => jobIn(served.world, 'create'), 'its Job is created');
    assert.is((await served.post(`${at}/recipes/retry`, {})).status, 409);
    jobEnds(served.world, 'create', 'Failed');
    await until(() => logicalIn(served.world, 'recipes')?.status?.phase === 'ProvisionFailed', 'it is given up');
    const retried = await served.post(`${at}/recipes/retry`, {});
    assert.equal([retried.status, bodyOf(retried)['note']], [200, 'Retrying provisioning']);
    const remove = (query: string) => served.ask(`${at}/recipes${query}`, { method: 'DELETE' });
    assert.is(said(await remove('?confirmName=other')), '400 confirmName must be the name of the logical database');
    const removed = await remove('');
    assert.equal(
      [removed.status, bodyOf(removed)],
      [200, { name: 'recipes', kind: 'CoreLogicalDatabase', deleted: true }],
    );
    assert.is((await served.ask(`${at}/none`)).status, 404);
  },
);

spec('a shared server is not deleted while logical databases use it, and the refusal names them', async () => {
  await withServer();
  await served.post(at, asked);
  await until(() => served.operator.caches.get(logicalDatabases, 'recipes'), 'it is cached');
  const { status, text } = await served.ask(`/api/v1/databases/${serverName}?confirmName=${serverName}`, {
    method: 'DELETE',
  });
  assert.is(said({ status, text }), '409 the shared server is used by recipes');
});

const primary = (name: string) =>
  void served.world.cluster.put(workloadPods, {
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'core-system',
      labels: {
        'core.platform/managed-by': 'core',
        'core.platform/kind': 'CoreDatabase',
        'core.platform/name': serverName,
      },
    },
    spec: { nodeName: 'one' },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  } as never);

spec(
  'DB-165 DB-167 AUT-069 a statement runs in the primary pod, with password and statement passed on standard input',
  async () => {
    await withServer({ spec: { engine: 'MySQL' } });
    const query = `/api/v1/databases/${serverName}/query`;
    const statement = "SELECT 'häh'";
    assert.is(said(await served.post(query, { statement })), '409 the database is not running');
    primary('core-mysql-main-0');
    const isCached = () => served.operator.caches.get(workloadPods, 'core-mysql-main-0', 'core-system');
    await until(isCached, 'the primary is cached');
    const asking = served.post(query, { statement });
    const command = await until(() => served.world.exec.commands[0], 'the command begins');
    assert.is(command.pod, 'core-mysql-main-0');
    assert.equal(command.execution.command.slice(3), [
      'query',
      String(Buffer.byteLength(statement)),
      '3306',
      serverName,
    ]);
    await until(() => command.written() === `apps-own\n${statement}`, 'it is written');
    assert.not.ok(JSON.stringify(command.execution).includes('apps-own'));
    command.say('ERROR: no\n');
    command.end({ is: 'exited', code: 3 });
    assert.equal(bodyOf(await asking), { output: 'ERROR: no\n', truncated: false, exitCode: 3 });
    await withServer({ spec: { placement: 'External' } });
    await until(
      () => served.operator.caches.get(databases, serverName)?.spec.placement === 'External',
      'it is external',
    );
    assert.is((await served.post(query, { statement })).status, 409);
  },
);

spec.run();
