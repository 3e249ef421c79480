import * as assert from 'uvu/assert';
import { gitIn, type Git } from '../../../runtime/gitHost/git.ts';
import { gainedBy } from '../../../runtime/gitHost/pushedCommits.ts';
import type { Repositories } from '../../../runtime/gitHost/repositories.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { gitIsThere, makeWorkTree, type WorkTree } from './client.ts';
import { type Host, startHost } from './host.ts';

if (!gitIsThere()) process.exit(0);

const spec = suite<{ host: Host; tree: WorkTree }>('a push of many refs');
spec.before(async (context) => {
  context.host = await startHost();
  context.tree = await makeWorkTree();
});
spec.after(async ({ host, tree }) => {
  await host.end();
  tree.clean();
});

interface Told {
  readonly ref: string;
  readonly commits: readonly { readonly message: string }[];
  readonly forced: boolean;
}

const toldOf = (host: Host, name: string, count: number): Promise<readonly Told[]> =>
  until(() => {
    const found = host.received.filter(({ text }) => text.includes(`"full_name":"${name}"`));
    return found.length >= count && found.map(({ text }) => JSON.parse(text) as Told);
  }, `${count} deliveries of ${name}`);

const branches = (count: number) => Array.from({ length: count }, (_, index) => `HEAD:refs/heads/b${index}`);
const tags = (count: number, prefix = 'v') =>
  Array.from({ length: count }, (_, index) => `HEAD:refs/tags/${prefix}${index}`);

spec('a push of more than three tags sends no event for the tags, and one for each branch', async ({ host, tree }) => {
  const address = `${host.cloneUrl}/demo/tagged.git`;
  await tree.commit({ 'a.txt': '1' }, 'One');
  await tree.git('push', address, ...tags(4), ...branches(2));
  await tree.git('push', address, ...tags(3, 'w'));
  const told = await toldOf(host, 'demo/tagged', 5);
  assert.equal(
    told.map(({ ref }) => ref),
    ['refs/heads/b0', 'refs/heads/b1', 'refs/tags/w0', 'refs/tags/w1', 'refs/tags/w2'],
  );
});

spec(
  'an event of each of many branches lists its new commits, also after a force push or a merge',
  async ({ host, tree }) => {
    const address = `${host.cloneUrl}/demo/many.git`;
    const base = await tree.commit({ 'a.txt': '2' }, 'Base');
    await tree.git('push', address, 'HEAD:main', 'HEAD:forced', 'HEAD:behind', 'HEAD:merged');
    const own = await tree.commit({ 'a.txt': '3' }, 'Own');
    await tree.git('push', address, `${own}:refs/heads/forced`, `${own}:refs/heads/shared`);
    await tree.git('checkout', '--quiet', '-b', 'side', base);
    const side = await tree.commit({ 'b.txt': '1' }, 'Side');
    await tree.git('merge', '--quiet', '--no-edit', '-m', 'Merge', own);
    const many = branches(20).map((branch) => branch.replace('HEAD', side));
    await tree.git(
      'push',
      '--force',
      address,
      `${side}:refs/heads/forced`,
      'HEAD:merged',
      `${own}:refs/heads/behind`,
      'HEAD:fresh',
      ...many,
    );
    const told = (await toldOf(host, 'demo/many', 30)).slice(6);
    const gained = new Map(
      told.map(({ ref, commits, forced }) => [ref, [commits.map(({ message }) => message), forced]]),
    );
    assert.is(gained.size, 24);
    assert.equal(gained.get('refs/heads/forced'), [['Side'], true]);
    assert.equal(gained.get('refs/heads/behind'), [['Own'], false]);
    assert.equal(gained.get('refs/heads/fresh'), [['Side', 'Merge'], false]);
    const [messages, isForced] = gained.get('refs/heads/merged') ?? [];
    assert.equal([[...(messages as string[])].toSorted(), isForced], [['Merge', 'Own', 'Side'], false]);
    assert.equal(gained.get('refs/heads/b7'), [['Side'], false]);
  },
);

/** Counts how often git is run. */
function counting(path: string): { readonly repositories: Repositories; readonly runs: () => number } {
  const git: Git = gitIn(path);
  let runs = 0;
  const run = async (_: unknown, args: readonly string[], input?: string) => {
    runs += 1;
    const { code, stdout } = await git.run(args, input);
    if (code !== 0) throw new Error(`git ${args[0]} ended with ${code}`);
    return stdout.toString();
  };
  return { repositories: { git: run } as Partial<Repositories> as Repositories, runs: () => runs };
}

spec('git runs as often for a push of 500 branches as for a push of one', async ({ tree }) => {
  const before = await tree.commit({ 'c.txt': '1' }, 'Before');
  const after = await tree.commit({ 'c.txt': '2' }, 'After');
  const refs = Array.from({ length: 500 }, (_, index) => `refs/heads/b${index}`);
  for (const from of ['0'.repeat(40), before]) {
    const { repositories, runs } = counting(tree.path);
    const changes = refs.map((ref) => ({ ref, before: from, after }));
    const gained = await gainedBy(repositories, { owner: 'demo', name: 'many' }, { changes, known: [before] });
    assert.is(runs(), 3);
    assert.is(gained.length, 500);
    for (const { head, commits, forced, isNew } of gained)
      assert.equal(
        [head?.message, commits.map(({ message }) => message), forced, isNew(after)],
        ['After', ['After'], false, true],
      );
  }
});

spec.run();
