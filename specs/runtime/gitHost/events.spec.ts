import { join } from 'node:path';
import { Webhooks } from '@octokit/webhooks';
import * as assert from 'uvu/assert';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { gitIsThere, makeWorkTree, type WorkTree } from './client.ts';
import { app, type Host, json, type Received, send, startHost } from './host.ts';

if (!gitIsThere()) process.exit(0);

const events = suite('push events of the Git host');
let host: Host;
let tree: WorkTree;
const zero = '0'.repeat(40);

events.before(async () => {
  host = await startHost();
  tree = await makeWorkTree();
});
events.after(async () => {
  await host.end();
  tree.clean();
});

const address = (name: string) => `${host.cloneUrl}/${name}.git`;

interface Push {
  readonly [field: string]: unknown;
  readonly commits: readonly Readonly<Record<string, unknown>>[];
}
const push = ({ text }: Received) => JSON.parse(text) as Push;

/** The deliveries of one repository, once there are as many as expected. */
const deliveriesOf = (name: string, count: number) =>
  until(() => {
    const found = host.received.filter(({ text }) => text.includes(`"full_name":"${name}"`));
    return found.length >= count && found;
  }, `${count} deliveries of ${name}`);

events('a push is delivered with a signature that a receiver can verify', async () => {
  const sha = await tree.commit({ 'a.txt': '1', 'dir/b c.txt': '1' }, 'One\n\nwith a body "ü"');
  await tree.git('push', address('demo/told'), 'HEAD:main');
  const [first] = await deliveriesOf('demo/told', 1);
  assert.ok(first);
  const { headers, text } = first;
  assert.is(headers['x-github-event'], 'push');
  assert.match(String(headers['x-github-delivery']), /^[0-9a-f-]{36}$/);
  const signature = String(headers['x-hub-signature-256']);
  assert.ok(await new Webhooks({ secret: app.webhookSecret }).verify(text, signature));
  assert.not.ok(await new Webhooks({ secret: 'another' }).verify(text, signature));
  const body = push(first);
  assert.equal(
    [body['ref'], body['before'], body['after'], body['created'], body['deleted'], body['forced']],
    ['refs/heads/main', zero, sha, true, false, false],
  );
  assert.equal(body['installation'], { id: 1 });
  const repository = body['repository'] as Readonly<Record<string, unknown>>;
  assert.is(repository['clone_url'], address('demo/told'));
  assert.is(repository['default_branch'], 'main');
  const [commit] = body.commits;
  assert.is(commit?.['message'], 'One\n\nwith a body "ü"');
  assert.equal([commit?.['added'], commit?.['distinct']], [['a.txt', 'dir/b c.txt'], true]);
  assert.equal(body['head_commit'], commit);
});

events('every changed ref causes one delivery, in order, with its new commits', async () => {
  await tree.commit({ 'a.txt': '2' }, 'Two');
  await tree.git('push', address('demo/told'), 'HEAD:main');
  const third = await tree.commit({ 'a.txt': null, 'c.txt': '3' }, 'Three');
  await tree.git('push', address('demo/told'), 'HEAD:main', 'HEAD:feature/x', 'HEAD:refs/tags/v1');
  await tree.git('push', address('demo/told'), ':feature/x');
  const told = (await deliveriesOf('demo/told', 6)).slice(1).map(push);
  assert.equal(
    told.map((body) => [body['ref'], body.commits.map(({ message }) => message), body['deleted']]),
    [
      ['refs/heads/main', ['Two'], false],
      ['refs/heads/feature/x', ['Three'], false],
      ['refs/heads/main', ['Three'], false],
      ['refs/tags/v1', [], false],
      ['refs/heads/feature/x', [], true],
    ],
  );
  const [commit] = told[2]?.commits ?? [];
  assert.equal([commit?.['removed'], commit?.['added'], commit?.['modified']], [['a.txt'], ['c.txt'], []]);
  assert.is(told[3]?.['after'], third);
  assert.is(told[4]?.['after'], zero);
  assert.is(told[4]?.['head_commit'], null);
});

events('the event of a forced push is marked, and a push without changes sends no event', async () => {
  await tree.git('push', address('demo/told'), 'HEAD:main');
  await tree.git('push', '--force', address('demo/told'), 'HEAD~1:main');
  const told = await deliveriesOf('demo/told', 7);
  assert.is(told.length, 7);
  assert.is(told.map(push).at(-1)?.['forced'], true);
});

const recorded = async () =>
  (await json(await fetch(`${host.url}/testing/deliveries`)))['deliveries'] as readonly Readonly<
    Record<string, unknown>
  >[];

events('a refused delivery is retried under its id, before later deliveries', async () => {
  host.answer(500);
  const first = await tree.commit({ 'd.txt': '1' }, 'Refused at first');
  await tree.git('push', address('demo/again'), 'HEAD:main');
  await deliveriesOf('demo/again', 2);
  const second = await tree.commit({ 'd.txt': '2' }, 'Pushed meanwhile');
  await tree.git('push', address('demo/again'), 'HEAD:main');
  host.answer(204);
  const found = await until(async () => {
    const told = (await recorded()).filter(({ repository }) => repository === 'demo/again');
    return told.some(({ body }) => String(body).includes('Pushed meanwhile')) && told.toReversed();
  }, 'both are taken');
  const [failed] = found;
  assert.equal([failed?.['statusCode'], failed?.['error'], failed?.['redelivery']], [500, 'it answered 500', false]);
  const taken = found.filter(({ statusCode }) => statusCode === 204);
  assert.equal(
    taken.map(({ body }) => (JSON.parse(String(body)) as { after: string }).after),
    [first, second],
  );
  assert.equal([taken[0]?.['id'], taken[0]?.['redelivery']], [failed?.['id'], true]);
  const [one, two] = await deliveriesOf('demo/again', 2);
  assert.is(one?.text, two?.text);
});

events('an accepted delivery can be resent under its id', async () => {
  const [taken] = (await recorded()).filter(({ repository }) => repository === 'demo/again');
  const again = await send(`${host.url}/testing/deliveries/${String(taken?.['id'])}/redeliver`, 'POST');
  const after = await json(again);
  assert.equal([after['id'], after['statusCode'], after['redelivery']], [taken?.['id'], 204, true]);
  assert.is((await send(`${host.url}/testing/deliveries/none/redeliver`, 'POST')).status, 404);
});

const waiting = async () =>
  (await json(await fetch(`${host.url}/testing/deliveries`)))['waiting'] as readonly Readonly<
    Record<string, unknown>
  >[];

events('a push without a receiver is kept over a restart and delivered when a receiver is set', async () => {
  host.listen(false);
  await tree.git('push', address('demo/later'), 'HEAD:main');
  const [kept] = await waiting();
  assert.is(kept?.['repository'], 'demo/later');
  await host.restart();
  assert.equal(
    (await waiting()).map(({ id }) => id),
    [kept?.['id']],
  );
  host.listen(true);
  const told = await deliveriesOf('demo/later', 1);
  assert.is(told[0]?.headers['x-github-delivery'], kept?.['id']);
  await until(async () => (await waiting()).length === 0, 'nothing waits');
});

events('a ref that moved unobserved is found at the next start, and reported once', async () => {
  const sha = await tree.commit({ 'e.txt': '1' }, 'Behind its back');
  await tree.git('push', address('demo/behind'), 'HEAD~1:refs/heads/main');
  await deliveriesOf('demo/behind', 1);
  await host.killed('demo/behind', () =>
    tree.git('push', join(host.dataDir, 'repositories/demo/behind.git'), 'HEAD:main'),
  );
  const told = await deliveriesOf('demo/behind', 2);
  assert.is(told.map(push).at(-1)?.['after'], sha);
  await host.restart();
  await tree.git('push', address('demo/behind'), 'HEAD:other');
  const all = await deliveriesOf('demo/behind', 3);
  assert.equal(
    all.map(push).map(({ ref }) => ref),
    ['refs/heads/main', 'refs/heads/main', 'refs/heads/other'],
  );
});

events.run();
