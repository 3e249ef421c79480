import * as assert from 'uvu/assert';
import { type Json, at, textAt } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { type Started, configMap, inSystem, merge, started } from './started.ts';

const spec = suite<{ api: Started }>('watch');
spec.before.each(async (context) => {
  context.api = await started();
});
spec.after.each(({ api }) => api.end());

const path = `${inSystem}/configmaps`;
const told = (events: readonly Json[]) =>
  events.map((event) => `${textAt(event, 'type')} ${textAt(event, 'object', 'metadata', 'name')}`);
const create = (api: Started, name: string, labels: object = {}) =>
  api.send('POST', path, { body: configMap(name, {}, { labels }) });
const label = (api: Started, name: string, labels: object) =>
  api.send('PATCH', `${path}/${name}`, { body: { metadata: { labels } }, type: merge });

spec('a watch continues from the version of a list, and delivers the versions of the changes', async ({ api }) => {
  await create(api, 'before');
  const { body } = await api.send('GET', path);
  const version = textAt(body, 'metadata', 'resourceVersion');
  await create(api, 'after');
  const watch = await api.watch(`${path}?watch=true&resourceVersion=${version}`);
  await label(api, 'before', { a: 'b' });
  await api.send('DELETE', `${path}/after`);
  const events = await watch.next(3);
  assert.equal(told(events), ['ADDED after', 'MODIFIED before', 'DELETED after']);
  const versions = events.map((event) => Number(textAt(event, 'object', 'metadata', 'resourceVersion')));
  assert.equal(
    versions,
    versions.toSorted((a, b) => a - b),
  );
  assert.ok(Number(version) < (versions[0] ?? 0));
  watch.stop();
});

spec('a watch without a version begins with the current objects', async ({ api }) => {
  await create(api, 'there');
  const watch = await api.watch(`${path}?watch=true`);
  assert.equal(told(await watch.next(2)), ['ADDED kube-root-ca.crt', 'ADDED there']);
  watch.stop();
});

spec('an object that starts or stops matching a selector appears and disappears', async ({ api }) => {
  await create(api, 'x', { a: 'no' });
  const { body } = await api.send('GET', path);
  const watch = await api.watch(
    `${path}?watch=true&labelSelector=a%3Dyes&resourceVersion=${textAt(body, 'metadata', 'resourceVersion')}`,
  );
  await label(api, 'x', { a: 'yes' });
  await label(api, 'x', { a: 'yes', b: '1' });
  const left = await label(api, 'x', { a: 'no' });
  await label(api, 'x', { a: 'never' });
  await create(api, 'y', { a: 'yes' });
  const events = await watch.next(4);
  assert.equal(told(events), ['ADDED x', 'MODIFIED x', 'DELETED x', 'ADDED y']);
  assert.is(
    textAt(events[2], 'object', 'metadata', 'resourceVersion'),
    textAt(left.body, 'metadata', 'resourceVersion'),
  );
  watch.stop();
});

spec('bookmarks and the end of the initial events are sent only on request', async ({ api }) => {
  await create(api, 'x');
  const watch = await api.watch(
    `${path}?watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
  );
  const [authority, first, bookmark] = await watch.next(3);
  assert.equal(told(authority && first ? [authority, first] : []), ['ADDED kube-root-ca.crt', 'ADDED x']);
  assert.is(textAt(bookmark, 'type'), 'BOOKMARK');
  assert.is(at(bookmark, 'object', 'metadata', 'annotations', 'k8s.io/initial-events-end'), 'true');
  assert.is(textAt(bookmark, 'object', 'kind'), 'ConfigMap');
  watch.stop();
});

spec('a watch gets bookmarks periodically, except a watch of Events', async ({ api }) => {
  const { body } = await api.send('GET', path);
  const asking = `watch=true&allowWatchBookmarks=true&resourceVersion=${textAt(body, 'metadata', 'resourceVersion')}`;
  const [maps, events] = [await api.watch(`${path}?${asking}`), await api.watch(`/api/v1/events?${asking}`)];
  // Both are begun before the next beat, which reaches every watch at once.
  const [bookmark] = await maps.next(1);
  assert.is(textAt(bookmark, 'type'), 'BOOKMARK');
  const event = { metadata: { name: 'e', namespace: 'core-system' }, involvedObject: { namespace: 'core-system' } };
  await api.send('POST', `${inSystem}/events`, { body: event });
  const [first] = await events.next(1);
  assert.equal(told(first ? [first] : []), ['ADDED e']);
  maps.stop();
  events.stop();
});

spec('a watch from an expired version ends with 410, and one from a future version waits', async ({ api }) => {
  await create(api, 'x');
  // As many changes as are kept, and more.
  const place = { bucket: '/configmaps', namespace: 'core-system', name: 'x' };
  const turns = Array.from({ length: 4_200 }, (_, turn) => ({ turn: String(turn) }));
  await Promise.all(turns.map((data) => api.store.update(place, (object) => ({ ...object, data }))));
  const refused = async (version: number) => {
    const [event] = await (await api.watch(`${path}?watch=true&resourceVersion=${version}`)).next(1);
    return [textAt(event, 'type'), at(event, 'object', 'code'), textAt(event, 'object', 'reason')];
  };
  assert.equal(await refused(1), ['ERROR', 410, 'Expired']);
  const last = Number(textAt((await label(api, 'x', { turn: 'last' })).body, 'metadata', 'resourceVersion'));
  const watch = await api.watch(`${path}?watch=true&resourceVersion=${last + 2}`);
  for (const turn of ['1', '2', '3']) await label(api, 'x', { turn });
  const [event] = await watch.next(1);
  assert.is(Number(textAt(event, 'object', 'metadata', 'resourceVersion')), last + 3);
});

spec('a watch ends at its timeout, and when the server stops', async ({ api }) => {
  const short = await api.watch(`${path}?watch=true&timeoutSeconds=1`);
  await short.ended;
  const long = await api.watch(`${path}?watch=true`);
  await api.stop();
  await long.ended;
});

spec.run();
