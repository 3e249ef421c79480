import * as assert from 'uvu/assert';
import type { Read, Transitions } from '../../http/api.ts';
import { conditionOf } from '../../rules/condition.ts';
import { apps } from '../../runtime/services/cluster/kinds.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/environment.ts';
import { serveAs, tokenOf } from './asCaller.ts';
import { app, ask, serve, type Served } from './served.ts';

const said = suite('redacted controller texts');

let served: Served;
let viewer: Awaited<ReturnType<typeof serveAs>>;
said.before.each(async () => {
  served = await serve();
  viewer = await serveAs(served, tokenOf('viewer'));
});
said.after.each(async () => {
  await viewer.stop();
  await served.stop();
});

/** The same read as an admin and as a viewer. */
const bothRead = async <Told>(path: string): Promise<readonly [whole: Told, redacted: Told]> => [
  (await served.ask(`/api/v1${path}`)).json() as Told,
  (await ask(`${viewer.url}/api/v1${path}`)).json() as Told,
];

said('AUT-031 a condition is stored with its parameters, and a viewer reads the visible ones', async () => {
  served.world.cluster.put(apps, app('lost', { project: 'nowhere' }));
  await until(() => conditionOf(served.operator.caches.get(apps, 'lost'), 'Ready'), 'the service is judged');
  const [whole, redacted] = await bothRead<Read>('/apps/lost');
  assert.is(whole.resource.message, 'project "nowhere" does not exist');
  assert.is(redacted.resource.message, 'project "nowhere" does not exist');
  const { params } = conditionOf(served.operator.caches.get(apps, 'lost'), 'Ready') ?? {};
  assert.equal(params, [{ name: 'project', value: 'nowhere', to: 'viewer', at: 9 }]);
});

said('AUT-031 a move is stored with its parameters, and a viewer does not read the connection name', async () => {
  const name = await served.addApp('shop', { connectionRef: { name: 'hush' } });
  const moves = () => bothRead<Transitions>(`/builds/${name}/transitions`);
  await until(async () => (await moves())[0].items.length > 0, 'the build moved');
  const [whole, redacted] = await moves();
  assert.is(whole.items[0]?.text, 'Git host connection "hush" was not found');
  assert.is(redacted.items[0]?.text, 'Git host connection "…" was not found');
});

said.run();
