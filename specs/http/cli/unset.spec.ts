import * as assert from 'uvu/assert';
import type { Items, Variable } from '../../../http/api.ts';
import { apps } from '../../../runtime/services/cluster/kinds.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { type Agent, serveAgents } from '../mcp/given.ts';
import type { Served } from '../served.ts';
import { type Asking, asking, serveShop } from '../services/given.ts';
import { terminal, type Terminal } from './terminal.ts';

const spec = suite('removed variables');
let served: Served;
let the: Asking;
let shell: Terminal;
let agent: Agent;
let stopAgents: () => Promise<void>;

spec.before.each(async () => {
  served = await serveShop();
  the = asking(served);
  await the.deployed();
  const { token } = await served.makeToken({ name: 'ci', role: 'admin' });
  shell = terminal({ env: { CORE_URL: served.url, CORE_TOKEN: token } });
  const agents = await serveAgents(served);
  agent = await agents.connect(token);
  stopAgents = agents.stop;
});
spec.after.each(async () => {
  shell.clean();
  await agent.close();
  await stopAgents();
  await served.stop();
});

const names = async () => (await the.read<Items<Variable>>('/apps/web/variables')).items.map(({ name }) => name);
/** Writes the same name of both kinds, as only kubectl does. */
async function setBoth(name: string): Promise<void> {
  const app = the.stored();
  if (!app) throw new Error('no service');
  const both = { config: { [name]: 'plain' }, secretData: { [name]: 'hush' } };
  const { metadata } = served.world.cluster.put(apps, { ...app, spec: { ...app.spec, ...both } });
  await until(
    () => Number(served.operator.caches.get(apps, 'web')?.metadata.resourceVersion) >= Number(metadata.resourceVersion),
    'the edit is cached',
  );
}

spec(
  'CLI-038 CLI-187 CLI-188 env unset removes a variable of either kind and reports one that was not set',
  async () => {
    for (const line of ['env set web MODE=fast', 'env set web API_KEY=hush --secret'])
      assert.is((await shell.core(line)).exit, 0);
    const { exit, out, err } = await shell.core('env unset web API_KEY MODE GONE');
    assert.is(exit, 0);
    assert.match(out, /^removed API_KEY\nremoved MODE\n(?:pending: [^\n]+\n)?$/);
    assert.is(err, 'API_KEY was a secret\nMODE was a plain variable\nGONE was not set\n');
    assert.equal(await names(), ['PORT']);
    await setBoth('TWICE');
    assert.is((await shell.core('env unset web TWICE')).err, 'TWICE was a plain variable and a secret\n');
    assert.equal(await names(), ['PORT']);
  },
);

spec('CLI-190 env unset --secret removes only a secret', async () => {
  await shell.core('env set web MODE=fast');
  const { exit, out, err } = await shell.core('env unset web MODE --secret');
  assert.equal([exit, out.includes('removed'), err], [0, false, 'MODE was not set as a secret\n']);
  assert.equal(await names(), ['MODE', 'PORT']);
});

spec('CLI-189 env unset refuses an injected variable and removes an own one of the same name', async () => {
  const refused = await shell.core('env unset web PORT');
  assert.equal([refused.exit, refused.err], [1, 'Error: PORT is injected and cannot be removed\n']);
  await setBoth('PORT');
  assert.is((await shell.core('env unset web PORT')).err, 'PORT was a plain variable and a secret\n');
  const app = the.stored();
  served.world.cluster.put(apps, { ...app, spec: { ...app?.spec, config: { PORT: '1' } } } as never);
  await until(() => served.operator.caches.get(apps, 'web')?.spec.config?.['PORT'] === '1', 'the edit is cached');
  assert.is((await shell.core('env unset web PORT')).err, 'PORT was a plain variable\n');
});

spec('an agent removes a variable of either kind and reads which kind was removed', async () => {
  await agent.call('set_variable', { app: 'web', key: 'API_KEY', value: 'hush', secret: true });
  await agent.call('set_variable', { app: 'web', key: 'MODE', value: 'fast' });
  const unset = async (given: object) => {
    const { pending: _pending, ...told } = (await agent.call('unset_variable', { app: 'web', ...given })) as {
      readonly pending: boolean;
    };
    return told;
  };
  const told = (key: string, ...kinds: readonly string[]) => ({
    name: 'web',
    key,
    removed: kinds.length > 0,
    kinds,
    appliesAtOnce: false,
  });
  assert.equal(await unset({ key: 'MODE', secret: true }), told('MODE'));
  assert.equal(await unset({ key: 'API_KEY' }), told('API_KEY', 'secret'));
  assert.equal(await unset({ key: 'MODE' }), told('MODE', 'config'));
  assert.equal(await unset({ key: 'MODE' }), told('MODE'));
  assert.match(
    String(await agent.call('unset_variable', { app: 'web', key: 'PORT' })),
    /^PORT is injected and cannot be removed\n/,
  );
  assert.equal(await names(), ['PORT']);
});

spec.run();
