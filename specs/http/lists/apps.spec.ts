import * as assert from 'uvu/assert';
import { annotation } from '../../../crds/names.ts';
import { apps } from '../../../runtime/services/cluster/kinds.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { serve, type Served } from '../served.ts';
import { putApps, reading, removeApp, resting } from './given.ts';

const spec = suite('pages of services');
let served: Served;
let list: ReturnType<typeof reading>;
spec.before.each(async () => {
  served = await serve();
  list = reading((path) => served.ask(path));
  await putApps(served, ['d', 'b', 'e', 'a', 'c']);
});
spec.after.each(() => served.stop());

spec('API-004 a list of services is complete without a limit and otherwise split into pages', async () => {
  assert.equal(await list.page('/apps').then(({ items, ...more }) => [items.length, more]), [5, {}]);
  assert.equal(await list.pages('/apps?limit=2'), [['a', 'b'], ['c', 'd'], ['e']]);
  assert.equal(await list.pages('/apps?limit=5'), [['a', 'b', 'c', 'd', 'e']]);
  const { continue: from = '' } = await list.page('/apps?limit=2');
  assert.equal(await list.names(`/apps?continue=${from}`), ['c', 'd', 'e'], 'the remaining ones');
  assert.equal(await list.names(`/apps?limit=1&continue=${from}`), ['c'], 'another limit');
});

spec('API-004 a page contains the number of remaining services when requested', async () => {
  const left = async (query: string) => (await list.page(`/apps?${query}`)).remaining;
  assert.is(await left('limit=2&remaining=true'), 3);
  assert.is(await left('limit=5&remaining=true'), 0);
  assert.is(await left('limit=1&search=b&remaining=true'), 0);
  assert.is(await left('limit=2'), undefined);
  const { continue: from = '' } = await list.page('/apps?limit=2&remaining=true');
  assert.is(await left(`limit=1&remaining=true&continue=${from}`), 2);
});

spec('API-004 a deleted service is left out of the next page, and a new one appears in its order', async () => {
  const { continue: from = '' } = await list.page('/apps?limit=2');
  await removeApp(served, 'b');
  await removeApp(served, 'd');
  await putApps(served, ['aa', 'bb', 'f']);
  assert.equal(await list.names(`/apps?continue=${from}`), ['bb', 'c', 'e', 'f']);
});

spec('API-004 services are found by a part of the name or display name and by state', async () => {
  served.world.cluster.put(apps, resting('late', {}, { [annotation.displayName]: 'Web Shop' }));
  await putApps(served, ['webs'], { deploy: { enabled: true } });
  await until(() => served.operator.caches.get(apps, 'late'), 'it is cached');
  assert.equal(await list.names('/apps?search=wEb'), ['late', 'webs']);
  assert.equal(await list.names('/apps?state=pending'), ['webs']);
  assert.equal(await list.names('/apps?search=web&state=Draft,ready'), ['late']);
  assert.equal(await list.pages('/apps?search=web&limit=1'), [['late'], ['webs']]);
  assert.is(
    await list.refusal('/apps?state=draft,asleep'),
    '400 "asleep" is no state: deleting, draft, ready, failed, pending',
  );
});

spec('API-004 an invalid limit, search, state or continue is refused with its reason', async () => {
  const whole = 'limit must be a whole number from 1 to 1000';
  for (const limit of ['0', '1001', 'x', '-1', '1.5', '%201', '1e2'])
    assert.is(await list.refusal(`/apps?limit=${limit}`), `400 ${whole}`, limit);
  for (const name of ['limit', 'continue', 'search', 'state'])
    assert.is(await list.refusal(`/apps?${name}=1&${name}=1`), `400 ${name} is given more than once`);
  assert.is(await list.refusal(`/apps?search=${'x'.repeat(201)}`), '400 search must be at most 200 characters');
  assert.equal(await list.names('/apps?limit=&continue=&search=&state='), ['a', 'b', 'c', 'd', 'e'], 'as none');
});

spec('API-004 a continue token is valid for its list and caller for five minutes', async () => {
  const { continue: from = '' } = await list.page('/apps?limit=2&project=demo');
  const other = '400 continue is of another list';
  assert.is(await list.refusal(`/apps?continue=${from}`), other);
  assert.is(await list.refusal(`/apps?project=demo&search=a&continue=${from}`), other);
  assert.is(await list.refusal(`/apps?project=demo&state=draft&continue=${from}`), other);
  for (const cut of [from.slice(0, -1), from.slice(0, 40), from.slice(0, 10), 'x', '%00', `${from}AAA`])
    assert.is(await list.refusal(`/apps?project=demo&continue=${cut}`), other, cut);
  const { token } = await served.makeToken();
  const asToken = reading((path) => served.askAs(token, path));
  assert.is(await asToken.refusal(`/apps?project=demo&continue=${from}`), other);
  served.clock.ahead += 5 * 60_000;
  const cookie = served.cookieOf();
  const later = reading((path) => served.ask(path, { headers: { cookie } }));
  assert.equal(await later.names(`/apps?project=demo&continue=${from}`), ['c', 'd', 'e']);
  served.clock.ahead += 1;
  assert.is(await later.refusal(`/apps?project=demo&continue=${from}`), '410 continue is too old: begin again');
});

spec.run();
