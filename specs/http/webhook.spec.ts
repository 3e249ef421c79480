import { createHmac } from 'node:crypto';
import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { apps } from '../../runtime/services/cluster/kinds.ts';
import { Unavailable, Conflict } from '../../runtime/services/cluster/cluster.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/environment.ts';
import { app, ask, serve, type Served } from './served.ts';

const webhook = suite('webhook');
let served: Served;
webhook.before.each(async () => {
  served = await serve();
});
webhook.after.each(() => served.stop());

const sign = (body: string, secret = 'hook-secret') =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
const body = (over: object = {}) =>
  JSON.stringify({
    ref: 'refs/heads/main',
    after: 'b'.repeat(40),
    repository: { full_name: 'demo/shop', default_branch: 'main' },
    pusher: { name: 'ada' },
    commits: [{ added: ['a'], removed: [], modified: [] }],
    ...over,
  });
const deliver = (text: string, headers: Record<string, string> = {}, url = served.url) =>
  ask(`${url}/webhooks/git`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'push',
      'x-hub-signature-256': sign(text),
      ...headers,
    },
    body: text,
  });
const taken = (rebuilt: readonly string[], note = '') => JSON.stringify({ note, pullRequests: [], rebuilt });
const nothingRebuilt = taken([], 'no service is rebuilt by this push');
const pushesOf = (name: string) =>
  served.world.build(name)?.status?.history?.filter(({ event }) => event === 'pushed') ?? [];

webhook('GIT-002 a push rebuilds the current build of each matching service, recorded as by the webhook', async () => {
  const names = [
    await served.addApp('one', {}, { phase: 'Cancelled' }),
    await served.addApp('two', {}, { phase: 'Cancelled' }),
  ];
  served.world.cluster.put(apps, app('bare'));
  served.world.cluster.put(apps, app('draft', { deploy: { enabled: false } }, { currentBuild: 'one-build-1' }));
  await until(() => served.operator.caches.get(apps, 'draft'), 'the apps');
  const { status, text } = await deliver(body());
  assert.equal([status, text], [202, taken(names)]);
  for (const name of names) {
    const [told] = pushesOf(name);
    assert.equal([told?.by, told?.to], ['webhook', 'Pending']);
    assert.match(told?.text ?? '', 'bbbbbbbbbbbb');
    assert.match(told?.text ?? '', 'ada');
  }
});

webhook('GIT-007 a service without a build gets none from a push', async () => {
  served.world.cluster.put(apps, app('bare', { project: 'nowhere' }));
  await until(() => served.operator.caches.get(apps, 'bare'), 'the app');
  assert.is((await deliver(body())).text, nothingRebuilt);
  assert.is(served.world.cluster.created.filter(({ plural }) => plural === 'corebuilds').length, 0);
});

webhook('GIT-028 an event without a valid signature is refused', async () => {
  const name = await served.addApp('shop', {}, { phase: 'Cancelled' });
  const text = body();
  for (const signature of [
    '',
    'sha256=',
    sign(text).slice(0, -1),
    sign(text, 'other'),
    sign(`${text} `),
    sign(text).replace('sha256', 'sha1'),
    'x'.repeat(71),
  ]) {
    const answer = await deliver(text, { 'x-hub-signature-256': signature });
    assert.is(answer.status, 401, signature);
    assert.is(answer.text, '{"error":"the signature is missing or wrong"}');
  }
  const cookie = await deliver(text, { 'x-hub-signature-256': '', cookie: served.cookieOf(), origin: served.url });
  assert.is(cookie.status, 401, 'a session is no signature');
  assert.is(pushesOf(name).length, 0);
});

webhook('GIT-028 every event is refused when there is no secret', async () => {
  const other = await serve({ webhookSecret: () => null });
  const text = body();
  const { status } = await other.askPlain('/webhooks/git', {
    method: 'POST',
    headers: { 'x-hub-signature-256': sign(text, '') },
    body: text,
  });
  assert.is(status, 401);
  await other.stop();
});

webhook('GIT-001 every signed event gets the same kind of answer, acted on or not', async () => {
  const name = await served.addApp('shop', {}, { phase: 'Cancelled' });
  const answered = async (event: string, text: string) => {
    const { status, text: told } = await deliver(text, { 'x-github-event': event });
    return `${status} ${told}`;
  };
  const nothing = (note: string) => `202 ${taken([], note)}`;
  assert.is(await answered('star', body()), nothing('star is not acted on'));
  assert.is(await answered('ping', '{"zen":"x"}'), nothing('ping is not acted on'));
  assert.is(await answered('', body()), nothing('an event without a name is not acted on'));
  for (const over of [{ ref: 'refs/tags/v1' }, { deleted: true, after: '0'.repeat(40) }])
    assert.is(await answered('push', body(over)), nothing('this push is not acted on'));
  assert.is(await answered('push', body({ ref: 'refs/heads/next' })), nothing('no service is rebuilt by this push'));
  assert.is(
    await answered('pull_request', '{"action":"labeled"}'),
    nothing('this event of a pull request is not acted on'),
  );
  const head = { ref: 'feature', sha: 'c'.repeat(40), repo: { full_name: 'demo/other' } };
  const opened = { action: 'opened', number: 7, pull_request: { head, base: { ref: 'main' } } };
  const ofOther = JSON.stringify({ ...opened, repository: { full_name: 'demo/other' } });
  assert.is(await answered('pull_request', ofOther), nothing('no project has a service of this repository'));
  assert.is(pushesOf(name).length, 0);
  assert.is(await answered('push', body()), `202 ${taken([name])}`);
});

webhook('a malformed body is rejected with 400 for any event', async () => {
  for (const event of ['push', 'pull_request'])
    assert.is((await deliver('{"ref":', { 'x-github-event': event })).status, 400, event);
});

webhook('a form with the payload field is accepted like JSON', async () => {
  const name = await served.addApp('shop', {}, { phase: 'Cancelled' });
  const form = new URLSearchParams({ payload: body() }).toString();
  const { text } = await deliver(form, { 'content-type': 'application/x-www-form-urlencoded' });
  assert.is(text, taken([name]));
});

webhook('a repeated delivery records one move, and two deliveries record two', async () => {
  const name = await served.addApp('shop', {}, { phase: 'Cancelled' });
  const text = body();
  const answers = await Promise.all([1, 2, 3].map(() => deliver(text, { 'x-github-delivery': 'd-1' })));
  for (const answer of answers) assert.is(answer.text, taken([name]));
  assert.is(pushesOf(name).length, 1);
  await Promise.all(['d-2', 'd-3'].map((delivery) => deliver(text, { 'x-github-delivery': delivery })));
  assert.is(pushesOf(name).length, 3);
});

webhook('a repeated delivery records no move on another replica or after a restart', async () => {
  const name = await served.addApp('shop', {}, { phase: 'Cancelled' });
  const text = body();
  const told = { 'x-github-delivery': 'd-1' };
  const other = await served.standBy();
  const answers = await Promise.all([
    deliver(text, told),
    deliver(text, told, other.url),
    deliver(text, told, other.url),
  ]);
  for (const answer of answers) assert.equal([answer.status, answer.text], [202, taken([name])]);
  assert.is(pushesOf(name).length, 1);
  await other.stop();
  const next = await served.standBy();
  assert.is((await deliver(text, told, next.url)).status, 202);
  assert.is(pushesOf(name).length, 1, 'a later replica knows the delivery');
  await next.stop();
});

webhook('a push already found by polling records no second move when its webhook arrives', async () => {
  const found = ['found ' + 'b'.repeat(40)];
  const name = await served.addApp('shop', {}, { phase: 'Running', head: 'b'.repeat(40), deliveries: found });
  assert.is((await deliver(body(), { 'x-github-delivery': 'd-1' })).status, 202);
  assert.is(pushesOf(name).length, 0);
  await deliver(body({ after: 'e'.repeat(40) }), { 'x-github-delivery': 'd-2' });
  await deliver(body(), { 'x-github-delivery': 'd-3' });
  assert.is(pushesOf(name).length, 2, 'back at that head it is another push');
});

webhook('a build records its newest twenty deliveries', async () => {
  const name = await served.addApp('shop', {}, { phase: 'Cancelled' });
  for (let count = 1; count <= 22; count++) await deliver(body(), { 'x-github-delivery': `d-${count}` });
  const kept = served.world.build(name)?.status?.deliveries ?? [];
  assert.equal([kept.length, kept[0], kept.at(-1)], [20, 'd-3', 'd-22']);
});

webhook('an event that cannot be written is answered 503 and accepted when redelivered', async () => {
  const name = await served.addApp('shop', {}, { phase: 'Cancelled' });
  const told = { 'x-github-delivery': 'd-1' };
  const { patchStatus } = served.world.cluster;
  for (const failure of [new Unavailable({ message: 'down' }), new Conflict({ what: name })]) {
    Object.assign(served.world.cluster, { patchStatus: () => Effect.fail(failure) });
    assert.is((await deliver(body(), told)).status, 503, failure._tag);
  }
  Object.assign(served.world.cluster, { patchStatus });
  assert.is(pushesOf(name).length, 0);
  assert.is((await deliver(body(), told)).status, 202);
  assert.is(pushesOf(name).length, 1);
});

webhook('GIT-003 GIT-005 GIT-006 a push that builds nothing is recorded as the known head', async () => {
  const name = await served.addApp('shop', {}, { phase: 'Succeeded', sourceRevision: 'a'.repeat(40) });
  const git = { repository: 'demo/shop', branch: 'main', waitForCI: false };
  for (const [character, spec] of [
    ['b', { source: { git: { ...git, watchPaths: ['docs/**'] } } }],
    ['c', { deploy: { enabled: false } }],
    ['d', { source: { git: { ...git, commit: 'a'.repeat(40) } } }],
  ] as const) {
    served.world.cluster.put(apps, app('shop', spec, { currentBuild: name }));
    const wanted = JSON.stringify(spec);
    await until(() => {
      const { source, deploy } = served.operator.caches.get(apps, 'shop')?.spec ?? {};
      return wanted === JSON.stringify({ source }) || wanted === JSON.stringify({ deploy });
    }, 'the service is cached');
    const { text } = await deliver(body({ after: character.repeat(40) }), { 'x-github-delivery': `d-${character}` });
    assert.is(text, nothingRebuilt);
    assert.is(served.world.build(name)?.status?.head, character.repeat(40));
  }
  assert.is(pushesOf(name).length, 0);
  await deliver(body({ ref: 'refs/heads/next', after: 'e'.repeat(40) }));
  assert.is(served.world.build(name)?.status?.head, 'd'.repeat(40), 'another branch is none of its business');
});

webhook('a body over 25 MiB is rejected, with or without its announced length', async () => {
  const told = await deliver('', { 'content-length': String(25 * 1024 * 1024 + 1) }).catch((error: unknown) => error);
  assert.ok(told instanceof Error || (told as { status: number }).status === 413);
  const { status } = await deliver('x'.repeat(25 * 1024 * 1024 + 1)).catch(() => ({ status: 413 }));
  assert.is(status, 413);
  assert.is((await deliver(JSON.stringify({ filler: 'x'.repeat(2 * 1024 * 1024) }))).status, 202);
});
webhook.run();
