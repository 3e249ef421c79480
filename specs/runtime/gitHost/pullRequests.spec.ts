import * as assert from 'uvu/assert';
import { Context, Effect, Layer } from 'effect';
import { pullRequestOf } from '../../../rules/pullRequestEnvironment/payload.ts';
import { gitAppManifest } from '../../../rules/settings/gitApplication.ts';
import { GitHost, type GitHostShape } from '../../../runtime/services/gitHost.ts';
import { octokitGitHost } from '../../../runtime/services/octokitGitHost.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { gitIsThere, makeWorkTree, type WorkTree } from './client.ts';
import { type Host, json, send, startHost } from './host.ts';

if (!gitIsThere()) process.exit(0);

const spec = suite('pull requests and applications of the Git host');
let host: Host;
let tree: WorkTree;

spec.before(async () => {
  host = await startHost();
  tree = await makeWorkTree();
});
spec.after(async () => {
  await host.end();
  tree.clean();
});

const address = (name: string) => `${host.cloneUrl}/${name}.git`;
const pulls = (name: string) => `${host.apiUrl}/repos/${name}/pulls`;
const told = (name: string) =>
  host.received
    .filter(({ headers, text }) => headers['x-github-event'] === 'pull_request' && text.includes(`"${name}"`))
    .map(({ text }) => JSON.parse(text) as Record<string, unknown>);
const actions = (name: string) => told(name).map(({ action, number }) => `${String(action)} ${String(number)}`);
const come = (name: string, wanted: readonly string[]) =>
  until(() => actions(name).length >= wanted.length, `${wanted.join(', ')} of ${name}`).then(() =>
    assert.equal(actions(name), wanted),
  );

/** A repository with a branch `main` and a branch `feature` ahead of it. */
async function branches(name: string, from = name): Promise<{ readonly main: string; readonly head: string }> {
  await tree.git('checkout', '--quiet', '--orphan', `base-${name.replace('/', '-')}`);
  const main = await tree.commit({ 'a.txt': name }, 'One');
  await tree.git('push', '--quiet', address(name), 'HEAD:main');
  if (from !== name) await tree.git('push', '--quiet', address(from), 'HEAD:main');
  const head = await tree.commit({ 'b.txt': name }, 'Two');
  await tree.git('push', '--quiet', address(from), 'HEAD:feature');
  return { main, head };
}
const open = (name: string, more: object = {}) =>
  send(pulls(name), 'POST', { title: 'Two', head: 'feature', base: 'main', ...more });

const client = async (apiUrl: string): Promise<GitHostShape> => {
  const layer = octokitGitHost({ apiUrl, timeoutMs: 5_000 });
  return Context.get(await Effect.runPromise(Effect.scoped(Layer.build(layer))), GitHost);
};

spec(
  'an event in the format of the product is sent when a pull request is opened, pushed to, closed or reopened',
  async () => {
    const { head, main } = await branches('demo/flow');
    const opened = await open('demo/flow');
    assert.is(opened.status, 201);
    const shown = await json(opened);
    assert.equal([shown['number'], shown['state'], shown['draft']], [1, 'open', false]);
    assert.is((await open('demo/flow')).status, 422);
    await come('demo/flow', ['opened 1']);
    const [event] = told('demo/flow').map(pullRequestOf);
    assert.equal(event, {
      is: 'hostEvent',
      event: 'opened',
      installation: 1,
      number: 1,
      repository: 'demo/flow',
      branch: 'feature',
      head,
      targetBranch: 'main',
      headRepository: 'demo/flow',
      draft: false,
      url: `${host.cloneUrl}/demo/flow/pull/1`,
    });
    const next = await tree.commit({ 'c.txt': '1' }, 'Three');
    await tree.git('push', '--quiet', address('demo/flow'), 'HEAD:feature');
    await come('demo/flow', ['opened 1', 'synchronize 1']);
    const pushed = told('demo/flow')[1];
    assert.equal([pushed?.['before'], pushed?.['after']], [head, next]);
    assert.is((await send(`${pulls('demo/flow')}/1`, 'PATCH', { state: 'closed' })).status, 200);
    assert.is((await send(`${pulls('demo/flow')}/1`, 'PATCH', { state: 'open' })).status, 200);
    await come('demo/flow', ['opened 1', 'synchronize 1', 'closed 1', 'reopened 1']);
    const git = await client(host.apiUrl);
    const asked = await Effect.runPromise(git.pullRequest(await host.token(), 'demo/flow', 1));
    assert.equal(asked, { is: 'found', value: { state: 'open', head: next } });
    const missing = await Effect.runPromise(git.pullRequest(await host.token(), 'demo/flow', 2));
    assert.is(missing.is === 'refused' && missing.code, 404);
    assert.is(main.length, 40);
  },
);

spec('a draft pull request becomes ready for review on request', async () => {
  await branches('demo/draft');
  assert.is((await json(await open('demo/draft', { draft: true })))['draft'], true);
  assert.is((await send(`${pulls('demo/draft')}/1`, 'PATCH', { draft: false })).status, 200);
  await come('demo/draft', ['opened 1', 'ready_for_review 1']);
  assert.equal(
    told('demo/draft').map((one) => pullRequestOf(one)?.draft),
    [true, false],
  );
});

spec('a pull request of a fork names the fork, follows its pushes and is merged from the fork', async () => {
  await branches('demo/target', 'mallory/target');
  assert.is((await open('demo/target', { head: 'mallory:feature' })).status, 201);
  await come('demo/target', ['opened 1']);
  assert.is(pullRequestOf(told('demo/target')[0])?.headRepository, 'mallory/target');
  await tree.commit({ 'd.txt': '1' }, 'Four');
  await tree.git('push', '--quiet', address('mallory/target'), 'HEAD:feature');
  await come('demo/target', ['opened 1', 'synchronize 1']);
  assert.is((await send(`${pulls('demo/target')}/1/merge`, 'PUT')).status, 200);
  await come('demo/target', ['opened 1', 'synchronize 1', 'closed 1']);
  const merged = told('demo/target')[2]?.['pull_request'] as Readonly<Record<string, unknown>>;
  assert.equal([merged['merged'], merged['state']], [true, 'closed']);
});

spec('a pull request is closed when a push merges its commits or its branch is deleted', async () => {
  await branches('demo/ends');
  await open('demo/ends');
  await tree.git('push', '--quiet', address('demo/ends'), 'HEAD:main');
  await come('demo/ends', ['opened 1', 'closed 1']);
  await tree.commit({ 'e.txt': '1' }, 'Five');
  await tree.git('push', '--quiet', address('demo/ends'), 'HEAD:feature');
  assert.is((await open('demo/ends')).status, 201);
  await tree.git('push', '--quiet', address('demo/ends'), ':feature');
  await come('demo/ends', ['opened 1', 'closed 1', 'opened 2', 'closed 2']);
});

spec('a conflicting pull request is not merged, and one of a missing branch is refused', async () => {
  await branches('demo/clash');
  await open('demo/clash');
  await tree.git('checkout', '--quiet', '-B', 'other', 'HEAD~1');
  await tree.commit({ 'b.txt': 'another' }, 'Clash');
  await tree.git('push', '--quiet', address('demo/clash'), 'HEAD:main');
  assert.is((await send(`${pulls('demo/clash')}/1/merge`, 'PUT')).status, 405);
  for (const more of [{ head: 'nothing' }, { base: 'nothing' }, { head: 'nobody:feature' }, { title: '' }])
    assert.is((await open('demo/clash', more)).status, 422);
  const listed = (await (await host.api('/repos/demo/clash/pulls')).json()) as readonly unknown[];
  assert.is(listed.length, 1);
});

spec('pull requests survive a restart', async () => {
  await branches('demo/kept');
  await open('demo/kept');
  await host.restart();
  const found = await json(await host.api('/repos/demo/kept/pulls/1'));
  assert.equal([found['number'], found['state']], [1, 'open']);
});

const form = (fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) => ({
  method: 'POST',
  redirect: 'manual' as const,
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  body: new URLSearchParams(fields).toString(),
});

spec('an application is created from a manifest when a user agrees, and its code is accepted once', async () => {
  const manifest = JSON.stringify(gitAppManifest('https://core.example'));
  const page = await fetch(
    `${host.url}/settings/apps/new?state=s%22%3E1`,
    form({ manifest }, { origin: 'https://a.b' }),
  );
  assert.is(page.status, 200);
  const text = await page.text();
  assert.ok(text.includes('value="s&#34;&#62;1"'));
  const agreed = form({ manifest, state: 's1' });
  const crossOrigin = { ...agreed, headers: { ...agreed.headers, origin: 'https://a.b' } };
  assert.is((await fetch(`${host.url}/settings/apps`, crossOrigin)).status, 403);
  const back = await fetch(`${host.url}/settings/apps`, agreed);
  assert.is(back.status, 302);
  const location = new URL(back.headers.get('location') ?? '');
  assert.equal(
    [location.origin, location.pathname, location.searchParams.get('state')],
    ['https://core.example', '/settings/connectors', 's1'],
  );
  const git = await client(host.apiUrl);
  const code = location.searchParams.get('code') ?? '';
  const made = await Effect.runPromise(git.madeApplication(code));
  assert.ok(made.is === 'found');
  const { appId, slug, privateKey, webhookSecret } = made.value;
  assert.equal([appId, slug], ['2', 'core-core-example']);
  assert.is((await Effect.runPromise(git.madeApplication(code))).is, 'refused');
  const installations = await Effect.runPromise(git.installations({ appId, privateKey }));
  assert.equal(installations, { is: 'found', value: [{ id: 1, account: 'local' }] });
  await host.restart();
  const issued = await Effect.runPromise((await client(host.apiUrl)).installationToken({ appId, privateKey }, 1));
  assert.is(issued.is, 'found');
  const repositories = await Effect.runPromise(git.repositories(issued.is === 'found' ? issued.value.token : ''));
  assert.ok(repositories.is === 'found' && repositories.value.some(({ name }) => name === 'demo/kept'));
  await tree.git('push', '--quiet', address('demo/signed'), 'HEAD:main');
  const delivery = await until(
    () => host.received.find(({ text: body }) => body.includes('"demo/signed"')),
    'a push is told',
  );
  const { Webhooks } = await import('@octokit/webhooks');
  const signature = String(delivery.headers['x-hub-signature-256']);
  assert.ok(await new Webhooks({ secret: webhookSecret }).verify(delivery.text, signature));
  for (const bad of ['', '{', '{"name":"x","redirect_url":"javascript:alert(1)"}'])
    assert.is((await fetch(`${host.url}/settings/apps/new`, form({ manifest: bad }))).status, 422);
});

spec.run();
