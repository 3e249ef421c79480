import * as assert from 'uvu/assert';
import { apps } from '../../../runtime/services/cluster/kinds.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { app, serve, type Served } from '../served.ts';
import { type Agent, askedBy, serveAgents } from './given.ts';

const spec = suite('lists of agents');
const count = 304;
const nameOf = (at: number): string => `service-${String(at).padStart(3, '0')}`;
const names = Array.from({ length: count }, (_, at) => nameOf(at));

let served: Served;
let agents: Awaited<ReturnType<typeof serveAgents>>;
let agent: Agent;

spec.before(async () => {
  served = await serve();
  const { cluster } = served.world;
  for (const [at, name] of names.entries())
    cluster.put(apps, app(name, { environment: at % 4 === 0 ? 'testing' : 'production', deploy: { enabled: at > 3 } }));
  await until(() => served.operator.caches.list(apps).length === count, 'every service is cached');
  // Nothing moves while the lists are read.
  await served.crash();
  agents = await serveAgents(served);
  agent = await agents.connect((await served.makeToken()).token);
});
spec.after(async () => {
  await agent.close();
  await agents.stop();
  await served.stop();
});

interface Page {
  readonly items: readonly { readonly name: string; readonly state: string }[];
  readonly next?: string;
  readonly left_out: number;
}
const page = async (tool: string, args: object): Promise<Page> => (await agent.call(tool, args)) as Page;

/** Every page of a list, as an agent follows its cursors. */
async function walk(tool: string, args: object = {}): Promise<readonly Page[]> {
  const pages = [await page(tool, args)];
  for (let { next } = pages[0] ?? {}; next !== undefined; next = pages.at(-1)?.next)
    pages.push(await page(tool, { ...args, cursor: next }));
  return pages;
}
const namesIn = (pages: readonly Page[]) => pages.flatMap(({ items }) => items.map(({ name }) => name));

spec('a list of 304 services is read by cursors, 50 at a time by default', async () => {
  const pages = await walk('list_apps');
  assert.equal(namesIn(pages), names);
  assert.equal(
    pages.map(({ items, left_out }) => [items.length, left_out]),
    [50, 50, 50, 50, 50, 50, 4].map((length, at) => [length, Math.max(0, count - 50 * (at + 1))]),
  );
  assert.equal(Object.keys(pages[0] ?? {}), ['items', 'next', 'left_out']);
  assert.equal(Object.keys(pages.at(-1) ?? {}), ['items', 'left_out']);
  assert.equal(namesIn(await walk('list_apps', { limit: 7 })), names);
});

spec('a page ends before its size limit, and the cursor continues after its last item', async () => {
  for (const tool of ['list_apps', 'app_status']) {
    const pages = await walk(tool, { limit: 200 });
    assert.equal(namesIn(pages), names, tool);
    const [first] = pages;
    // What a status says is shorter.
    if (tool === 'list_apps') assert.ok((first?.items.length ?? 0) < 200 && first?.next !== undefined);
    for (const [at, { items, left_out }] of pages.entries()) {
      assert.ok(JSON.stringify(pages[at]).length <= 48_000);
      assert.is(left_out, count - namesIn(pages.slice(0, at)).length - items.length);
    }
  }
});

spec('a list is filtered by place, state and name, and its cursor keeps the filter', async () => {
  assert.equal(namesIn(await walk('list_apps', { search: 'VICE-01', limit: 3 })), names.slice(10, 20));
  const drafts = await walk('list_apps', { state: 'draft' });
  assert.equal(namesIn(drafts), names.slice(0, 4));
  assert.equal(namesIn(await walk('app_status', { state: 'draft', environment: 'testing' })), names.slice(0, 1));
  const testing = names.filter((_, at) => at % 4 === 0);
  assert.equal(namesIn(await walk('list_apps', { environment: 'testing', limit: 20 })), testing);
  const { next: cursor } = await page('list_apps', { limit: 3 });
  const refusal = 'cursor is of another list: begin without one\nChange the arguments and try again.';
  for (const args of [{ cursor, state: 'pending' }, { cursor: 'x' }, { cursor: '' }, { cursor: 'W10' }])
    assert.is(await agent.call('list_apps', args), refusal);
  assert.is(await agent.call('list_projects', { cursor }), refusal);
  assert.equal((await page('list_apps', { limit: 5, cursor })).items[0]?.name, names[3]);
});

spec('an unknown argument of a list is refused', async () => {
  for (const args of [{ state: 'Ready' }, { limit: 0 }, { limit: 201 }, { limit: 1.5 }, { search: 'x'.repeat(201) }])
    assert.match(String(await agent.call('list_apps', args)), /^list_apps does not take these arguments: /);
  assert.match(
    String(await agent.call('list_machines', { state: 'Nowhere' })),
    /^"Nowhere" is no state of any machine/,
  );
  assert.match(String(await agent.call('list_builds', { app: 'web', state: 'Nowhere' })), /^"Nowhere" is no state of/);
  assert.match(String(await agent.call('list_variables', { app: nameOf(0), state: 'ready' })), /does not take/);
});

spec('machines are listed without their tables and filtered by the state of an instance', async () => {
  const all = (await walk('list_machines')).flatMap(({ items }) => items);
  assert.ok(all.length > 10 && JSON.stringify(all).length < 20_000);
  const [draftDeploy] = (await page('list_machines', { search: 'draftDeploy' })).items as readonly object[];
  assert.equal(Object.keys(draftDeploy ?? {}), ['name', 'kinds', 'states', 'counts', 'retrying']);
  const machine = (name: string, counts: object | null) => ({ name, counts, states: [{ name: 'Draft' }] });
  const items = [machine('a', { Draft: 1 }), machine('b', {}), machine('c', null)];
  const { told } = await askedBy('list_machines', { state: 'draft' }, { items });
  assert.equal(namesIn([told as Page]), ['a']);
});

spec('instances are filtered by the API', async () => {
  const args = { machine: 'service', state: 'Ready,Failed', stuck: 900, retrying: false, search: 'web' };
  const { told, asked } = await askedBy('list_instances', args, { items: [{ name: 'web' }], remaining: 3 });
  assert.equal(asked, [
    'GET /machines/service/instances {"state":"Ready,Failed","search":"web","retrying":"false","stuck":"900","limit":"50","remaining":"true"}',
  ]);
  assert.equal(told, { items: [{ name: 'web' }], left_out: 3 });
  assert.ok(Array.isArray((await page('list_instances', { machine: 'service', stuck: 900 })).items));
});

spec('an unmanaged node is listed among the servers without a state', async () => {
  const answer = { items: [{ name: 'b', state: 'ready' }], unmanaged: [{ name: 'a', ready: true, address: '' }] };
  const { told } = await askedBy('list_nodes', {}, answer);
  assert.equal(told, {
    items: [{ name: 'a', ready: true, address: '', unmanaged: true }, ...answer.items],
    left_out: 0,
  });
  const { told: ready } = await askedBy('list_nodes', { state: 'ready' }, answer);
  assert.equal(ready, { items: answer.items, left_out: 0 });
});

spec.run();
