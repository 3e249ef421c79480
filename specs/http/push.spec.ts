import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { concernOf, pushOf } from '../../rules/app/push.ts';
import { suite } from '../support/suite.ts';
import { app } from './served.ts';

const push = suite('push');
const sha = 'a'.repeat(40);
const gitUrl = 'https://git.example';

const payload = (over: object = {}) => ({
  ref: 'refs/heads/main',
  after: sha,
  deleted: false,
  repository: { full_name: 'Demo/Shop', default_branch: 'main' },
  pusher: { name: 'ada' },
  commits: [{ added: ['src/a.ts'], removed: [], modified: ['README.md'] }],
  ...over,
});
const git = (over: object = {}, spec: object = {}) =>
  app('shop', { source: { git: { repository: 'demo/shop', branch: 'main', waitForCI: false, ...over } }, ...spec });
const concerns = (service: ReturnType<typeof app>, over: object = {}) => {
  const read = pushOf(payload(over));
  return read !== null && concernOf(service, read, gitUrl) === 'builds';
};

push('a push is parsed into repository, branch, commit, pusher and changed files', () => {
  assert.equal(pushOf(payload()), {
    repository: 'Demo/Shop',
    branch: 'main',
    defaultBranch: 'main',
    commit: sha,
    pusher: 'ada',
    changed: ['src/a.ts', 'README.md'],
  });
});

push('a tag, a deleted branch or an invalid payload builds nothing (decision 134)', () => {
  for (const over of [
    { ref: 'refs/tags/main' },
    { ref: 'main' },
    { deleted: true },
    { after: '0'.repeat(40) },
    { after: undefined },
    { repository: null },
    { repository: { full_name: 7 } },
  ])
    assert.is(pushOf(payload(over)), null, JSON.stringify(over));
  for (const strange of [null, 'x', 7, [], {}]) assert.is(pushOf(strange), null);
});

push('GIT-003 KND-033 a push is compared with the deployed settings, not with pending ones', () => {
  const deployed = git();
  const waiting = (pending: object, branch = 'next') => {
    const changed = git({ branch });
    const annotations = { 'core.platform/deploy-workflow': 'true', 'core.platform/pending-changes': 'settings' };
    return { ...changed, metadata: { ...changed.metadata, annotations: { ...annotations, ...pending } } };
  };
  const snapshot = { 'core.platform/last-deployed': JSON.stringify(deployed.spec) };
  assert.ok(concerns(waiting(snapshot)), 'main is built');
  assert.not.ok(concerns(waiting(snapshot), { ref: 'refs/heads/next' }), 'next waits for a deploy');
  assert.not.ok(concerns(waiting({}, 'main')), 'the deployed settings are unknown');
});

push(
  'GIT-003 GIT-004 GIT-005 a push concerns a deployed service with its repository and branch and no pinned commit',
  () => {
    assert.ok(concerns(git()));
    assert.not.ok(concerns(git({}, { deploy: { enabled: false } })));
    assert.not.ok(concerns(git({ commit: sha })));
    assert.not.ok(concerns(git({ repository: 'demo/other' })));
    assert.not.ok(concerns(git({ branch: 'next' })));
    assert.not.ok(concerns(git({ branch: 'Main' })), 'branch names are case-sensitive');
    assert.not.ok(concerns(app('plain', { source: { image: 'nginx' } })));
    assert.ok(concerns(git({ branch: undefined })), 'no branch is the default one');
    assert.not.ok(concerns(git({ branch: undefined }), { ref: 'refs/heads/next' }));
  },
);

push('GIT-004 a repository is recognised in any spelling', () => {
  for (const repository of [
    'demo/shop',
    'DEMO/shop',
    'https://git.example/demo/shop',
    'https://git.example/demo/shop.git',
    'HTTPS://GIT.EXAMPLE/Demo/Shop.git/',
  ])
    assert.ok(concerns(git({ repository })), repository);
  for (const repository of ['https://elsewhere.example/demo/shop', 'demo/shop/more', ''])
    assert.not.ok(concerns(git({ repository })), repository);
});

push('GIT-006 a push concerns a service when a watched file is added, removed or modified', () => {
  const watching = (...watchPaths: string[]) => git({ watchPaths });
  const commit = (over: object) => ({ commits: [{ added: [], removed: [], modified: [], ...over }] });
  for (const list of ['added', 'removed', 'modified'])
    assert.ok(concerns(watching('api/**'), commit({ [list]: ['api/x/y.ts'] })), list);
  assert.not.ok(concerns(watching('api/**'), commit({ added: ['web/x.ts'] })));
  assert.ok(concerns(watching('docs/*', 'web/**/*.ts'), commit({ modified: ['web/a/b.ts'] })));
  assert.not.ok(concerns(watching('*.ts'), commit({ modified: ['web/a.ts'] })), 'a star stays in its folder');
  assert.ok(
    concerns(watching('/api/**'), commit({ modified: ['api/.env'] })),
    'a leading slash is the root, and dots count',
  );
  assert.ok(concerns(watching(), commit({})), 'no globs watch everything');
});

push(
  'GIT-006 the last matching pattern decides, and a list starting with an exclusion includes all other files',
  () => {
    const builds = (watchPaths: readonly string[], ...files: readonly string[]) =>
      concerns(git({ watchPaths }), { commits: [{ added: files, removed: [], modified: [] }] });
    assert.not.ok(builds(['!CHANGELOG.md', '!tests/**'], 'tests/x'));
    assert.not.ok(builds(['!CHANGELOG.md', '!tests/**'], 'tests/x', 'CHANGELOG.md'));
    assert.ok(builds(['!CHANGELOG.md', '!tests/**'], 'tests/x', 'src/x'));
    assert.not.ok(builds(['apps/web/**', '!apps/web/docs/**'], 'README.md'));
    assert.not.ok(builds(['apps/web/**', '!apps/web/docs/**'], 'apps/web/docs/a'));
    assert.ok(builds(['apps/web/**', '!apps/web/docs/**'], 'apps/web/a'));
    assert.ok(builds(['apps/**', '!apps/**/*.md', 'apps/web/README.md'], 'apps/web/README.md'));
    assert.not.ok(builds(['apps/**', 'apps/web/README.md', '!apps/**/*.md'], 'apps/web/README.md'));
    assert.ok(builds(['!docs/**', 'docs/api/**'], 'docs/api/x'));
  },
);

push('GIT-006 spellings of a path are equivalent, and a path without a wildcard includes the folder', () => {
  const builds = (pattern: string, file: string) =>
    concerns(git({ watchPaths: [pattern] }), { commits: [{ added: [file], removed: [], modified: [] }] });
  for (const pattern of ['apps/web/**', '/apps/web/**', './apps/web/**', 'apps//web/**', 'apps/./web/**'])
    assert.ok(builds(pattern, 'apps/web/a/b'), pattern);
  for (const pattern of ['apps/web', 'apps/web/', '/apps', 'apps/*/'])
    assert.ok(builds(pattern, 'apps/web/a'), pattern);
  assert.not.ok(builds('apps/*', 'apps/web/a'));
  for (const folder of ['[slug]', '[...all]', '(shop)', '@modal']) {
    assert.ok(builds(`app/${folder}/**`, `app/${folder}/page.tsx`), folder);
    assert.ok(builds(`app/${folder}`, `app/${folder}/page.tsx`), folder);
  }
  for (const nothing of ['', '/', './', '!', '../x', 'a'.repeat(70_000)])
    assert.is(builds(nothing, 'x'), nothing === '!', JSON.stringify(nothing.slice(0, 9)));
});

push('GIT-006 a forced push concerns a service with any watched paths (decision 150)', () => {
  const watching = git({ watchPaths: ['nothing/**'] });
  assert.ok(concerns(watching, { forced: true }));
  assert.not.ok(concerns(watching, { forced: false }));
});

push('GIT-006 ordered patterns match as in a reference evaluation, for generated lists', () => {
  const folder = fc.constantFrom('a', 'b', 'c');
  const patterns = fc.array(fc.record({ excludes: fc.boolean(), folder }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(patterns, fc.array(folder, { minLength: 1 }), (list, folders) => {
      const watched = (file: string) =>
        list.reduce((before, one) => (one.folder === file ? !one.excludes : before), list[0]?.excludes === true);
      const watchPaths = list.map((one) => `${one.excludes ? '!' : ''}${one.folder}/**`);
      const added = folders.map((name) => `${name}/file`);
      const commits = [{ added, removed: [], modified: [] }];
      assert.is(concerns(git({ watchPaths }), { commits }), folders.some(watched));
    }),
  );
});

push('GIT-006 a missing, empty, truncated or malformed file list counts as a match (decision 130)', () => {
  const watching = git({ watchPaths: ['nothing/**'] });
  const commit = { added: ['a'], removed: [], modified: [] };
  for (const over of [
    { commits: undefined },
    { commits: [] },
    { commits: 'many' },
    { commits: [commit], size: 2 },
    { commits: [{ added: ['a'], removed: [] }] },
    { commits: [commit, null] },
    { commits: Array.from({ length: 2048 }, () => commit) },
  ])
    assert.ok(concerns(watching, over), JSON.stringify(over).slice(0, 80));
  assert.not.ok(concerns(watching, { commits: [commit], size: 1 }));
});

push(
  'GIT-003 GIT-004 GIT-005 GIT-006 a push concerns a service exactly when all conditions hold, for generated pushes',
  () => {
    const maybe = <T>(values: readonly T[]) => fc.constantFrom(...values);
    fc.assert(
      fc.property(
        fc.record({
          deployed: fc.boolean(),
          pinned: fc.boolean(),
          repository: maybe(['demo/shop', 'Demo/SHOP', 'demo/other']),
          branch: maybe(['main', 'next', undefined]),
          globs: maybe([[], ['src/**'], ['docs/**']]),
          ref: maybe(['refs/heads/main', 'refs/heads/next', 'refs/tags/main']),
          file: maybe(['src/a', 'docs/b', 'README']),
          told: fc.boolean(),
        }),
        ({ deployed, pinned, repository, branch, globs, ref, file, told }) => {
          const service = git(
            { repository, branch, watchPaths: globs, ...(pinned ? { commit: sha } : {}) },
            { deploy: { enabled: deployed } },
          );
          const commits = told ? [{ added: [file], removed: [], modified: [] }] : undefined;
          const watched = globs.length === 0 || !told || globs.some((glob) => file.startsWith(glob.slice(0, 4)));
          const expected =
            deployed && !pinned && repository !== 'demo/other' && ref === `refs/heads/${branch ?? 'main'}` && watched;
          assert.is(concerns(service, { ref, commits }), expected);
        },
      ),
      { numRuns: 2_000 },
    );
  },
);

push('a malformed push payload never throws', () => {
  fc.assert(fc.property(fc.anything(), (value) => void pushOf(value)));
  fc.assert(
    fc.property(fc.array(fc.anything()), fc.string(), (commits, glob) => {
      concerns(git({ watchPaths: [glob] }), { commits });
    }),
  );
});
push.run();
