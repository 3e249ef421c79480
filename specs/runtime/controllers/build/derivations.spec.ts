import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { CoreApp } from '../../../../crds/coreApp.ts';
import type { CoreBuild } from '../../../../crds/coreBuild.ts';
import { annotation } from '../../../../crds/names.ts';
import { buildName, buildOf, type BuildSettings, buildSpec, jobName } from '../../../../rules/build/build.ts';
import { checkNamesKept, checksVerdict } from '../../../../rules/build/checks.ts';
import { currentBuild } from '../../../../rules/build/current.ts';
import {
  digestOf,
  imageByDigest,
  pushedDigest,
  repositoryOf,
  scannedOn,
  unread,
} from '../../../../rules/build/image.ts';
import { repositoryKey, repositoryName } from '../../../../rules/build/repository.ts';
import { isOfRun } from '../../../../rules/build/ownRun.ts';
import { outlived } from '../../../../rules/build/retention.ts';
import { sourcePath } from '../../../../rules/build/sourcePath.ts';
import type { CheckRun } from '../../../../rules/gitAnswer.ts';
import { schemaAt } from '../../../crds/served.ts';
import { suite } from '../../../support/suite.ts';
import { digest, userBuild } from '../../../support/environment.ts';

const spec = suite('build derivations');

const run = (status: string, conclusion: string | null): CheckRun => ({ name: 'c', status, conclusion });
const good = run('completed', 'success');
spec('BLD-091 checks pass only when there is one and every one completed with success', () => {
  assert.is(checksVerdict([]).is, 'pending');
  assert.is(checksVerdict([good]).is, 'passed');
  assert.is(checksVerdict([good, run('in_progress', null)]).is, 'pending');
  assert.is(checksVerdict([good, run('in_progress', 'success')]).is, 'pending');
  assert.is(checksVerdict([good, run('completed', null)]).is, 'failed');
  for (const other of [
    'failure',
    'neutral',
    'skipped',
    'cancelled',
    'timed_out',
    'action_required',
    'stale',
    'SUCCESS',
  ])
    assert.is(checksVerdict([good, run('completed', other), run('queued', null)]).is, 'failed', other);
});
spec('every run counts, also beyond those whose names are kept', () => {
  assert.is(checkNamesKept, 50);
  const many = Array.from({ length: 60 }, () => good);
  assert.is(checksVerdict(many).is, 'passed');
  assert.is(checksVerdict([...many, run('completed', 'failure')]).is, 'failed');
});

const inside = (context: string, buildfile: string) => ({ is: 'inside', context, buildfile });
const paths: readonly (readonly [string, string, object])[] = [
  ['', '', inside('', 'Buildfile')],
  ['/', '', inside('', 'Buildfile')],
  ['.', 'Buildfile', inside('', 'Buildfile')],
  ['web', '', inside('web', 'web/Buildfile')],
  ['/web/', 'docker/Web', inside('web', 'web/docker/Web')],
  ['web', 'web/Buildfile', inside('web', 'web/Buildfile')],
  ['web', '/web/Buildfile', inside('web', 'web/Buildfile')],
  ['./web//app/', 'web/app/Buildfile', inside('web/app', 'web/app/Buildfile')],
  ['web', 'webbing/Buildfile', inside('web', 'web/webbing/Buildfile')],
  ['web', '../Buildfile', inside('web', 'Buildfile')],
  ['web/../api', '', inside('api', 'api/Buildfile')],
  ['a\\..\\..', '', inside('a\\..\\..', 'a\\..\\../Buildfile')],
  ['..web', '', inside('..web', '..web/Buildfile')],
];
spec('BLD-031 BLD-032 BLD-033 BLD-036 context and buildfile determine the paths of a build in its repository', () => {
  for (const [context, buildfile, wanted] of paths)
    assert.equal(sourcePath(context, buildfile), wanted, `${context} ${buildfile}`);
});
spec('a path that leaves the repository is reported in any notation', () => {
  for (const context of [
    '..',
    '../../../..',
    '/..',
    '/../',
    'a/../..',
    'a/../../a',
    '../../..',
    '../web',
    'web/../../web',
    '//..//',
  ])
    assert.equal(sourcePath(context, ''), { is: 'leaves' }, context);
  for (const buildfile of ['../Buildfile', '/../x', 'a/../../x'])
    assert.equal(sourcePath('', buildfile), { is: 'leaves' }, buildfile);
  const part = fc.constantFrom('..', '.', '', 'a', 'b');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), fc.array(part, { maxLength: 4 }), (context, buildfile) => {
      const found = sourcePath(context.join('/'), buildfile.join('/'));
      if (found.is === 'inside')
        for (const path of [found.context, found.buildfile]) assert.not.match(path, /^\/|(^|\/)\.\.(\/|$)/);
    }),
  );
});
spec(
  'BLD-024 BLD-025 BLD-026 BLD-027 a repository is accepted as owner/name or as an address of the configured Git host only',
  () => {
    const host = 'https://git.example';
    for (const text of [
      'demo/shop',
      'https://git.example/demo/shop',
      'HTTPS://Git.Example/demo/shop.git',
      'demo/shop.git',
      'https://git.example/demo/shop/',
    ])
      assert.equal([repositoryName(text, host), repositoryKey(text)], ['demo/shop', repositoryKey('Demo/Shop')], text);
    assert.is(repositoryName('https://git.example/demo/shop.git', `${host}/`), 'demo/shop');
    assert.is(repositoryName('De_mo.1/s-h.op', host), 'De_mo.1/s-h.op');
    for (const text of [
      '',
      'shop',
      'a/b/c',
      'https://other.example/demo/shop',
      'git@git.example:demo/shop',
      '../shop',
      'demo/..',
      'demo/./',
      'de mo/shop',
      'demo/shop?x',
      'https://user:pw@git.example/demo/shop',
      'demo/shop\n',
    ])
      assert.is(repositoryName(text, host), null, JSON.stringify(text));
  },
);

spec('an image digest is accepted only as a complete lower-case sha256', () => {
  assert.is(digestOf(digest('a')), digest('a'));
  assert.is(digestOf(`  ${digest('a')}\n`), digest('a'));
  for (const text of [
    '',
    'sha256:',
    digest('A'),
    `${digest('a')}0`,
    digest('a').slice(0, -1),
    `x ${digest('a')}`,
    'sha512:aa',
    digest('g'),
  ])
    assert.is(digestOf(text), null, text);
});
/** The digest that a log names, read in pieces of this length. */
function digestIn(log: string, image: string, pieceLength: number): string | null {
  let scan = unread;
  for (let at = 0; at < log.length; at += pieceLength) {
    scan = scannedOn(scan, log.slice(at, at + pieceLength), image);
    assert.ok(scan.rest.length <= 1024, 'no more than a window is kept');
  }
  return pushedDigest(scan, image);
}
const image = 'host:5000/apps/shop:1';
const pushedLine = (repository: string, of: string) => `INFO Pushed ${repository}@${digest(of)} in 2s`;

spec('BLD-060 the digest is read from the last log line of this repository, whatever the chunks', () => {
  const logs: readonly (readonly [string, string | null])[] = [
    [`start\n${pushedLine('host:5000/apps/shop', 'a')}\n`, digest('a')],
    [`Pushed host:5000/apps/shop:1@${digest('a')}\r\nend`, digest('a')],
    [`Pushed host:5000/apps/shop@${digest('a')}`, digest('a')],
    [
      `${pushedLine('host:5000/apps/shop', 'a')}\n${pushedLine('host:5000/apps/shop', 'b')}\n${pushedLine('host:5000/apps/cache', 'c')}`,
      digest('b'),
    ],
    ['', null],
    [pushedLine('host/apps/shop', 'a'), null],
    [`Pushed host:5000/apps/shop@${digest('A')}`, null],
    [`notPushed host:5000/apps/shop@${digest('a')}`, null],
    [`Pushed host:5000/apps/shop@${digest('a')}0`, null],
  ];
  for (const [log, found] of logs)
    for (const pieceLength of [1, 7, 64, 4_096]) assert.is(digestIn(log, image, pieceLength), found, log);
});

spec('BLD-060 BLD-131 the digest line is found anywhere in a log of which only a window is kept', () => {
  const line = `${pushedLine('host:5000/apps/shop', 'a')}\n`;
  const before = 'another step of the recipe\n'.repeat(50_000);
  const progress = 'x'.repeat(300_000);
  for (const log of [`${line}${before}`, `${before}${line}`, `${before}${line}${before}`, `${line}${progress}`])
    assert.is(digestIn(log, image, 65_536), digest('a'));
  assert.is(digestIn(`${before}${progress}`, image, 65_536), null);
});
spec('BLD-063 an image by digest loses its tag, and never the port of its registry', () => {
  for (const [image, repository] of [
    ['registry.local/apps/shop', 'registry.local/apps/shop'],
    ['registry.local/apps/shop:1', 'registry.local/apps/shop'],
    ['host:5000/shop', 'host:5000/shop'],
    ['host:5000/shop:v1', 'host:5000/shop'],
    [`host:5000/shop:v1@${digest('a')}`, 'host:5000/shop'],
    ['shop:1', 'shop'],
  ] as const) {
    assert.is(repositoryOf(image), repository);
    assert.is(imageByDigest(image, digest('b')), `${repository}@${digest('b')}`);
  }
});

const app = (git: object = {}, own: object = {}): CoreApp =>
  ({
    metadata: { name: 'shop', namespace: 'core-system', uid: 'u' },
    spec: {
      project: 'demo',
      environment: 'production',
      source: { git: { repository: 'demo/shop', branch: 'main', waitForCI: false, ...git } },
      ...own,
    },
  }) as unknown as CoreApp;
const settings: BuildSettings = {
  platform: { repository: 'registry.local/apps', credential: '' },
  connection: { name: 'c', secret: 't' },
};
const nameOf = (of: CoreApp, given = settings) => {
  const made = buildSpec(of, given);
  if (made === null) throw new Error('no repository');
  return buildName(made);
};

spec('BLD-008 BLD-009 decision 41: a build is named by its settings', () => {
  const name = nameOf(app());
  assert.match(name, /^shop-build-[0-9a-f]{12}$/);
  assert.is(jobName(name), `${name}-builder`);
  for (const same of [
    app({ buildfile: 'Buildfile' }),
    app({ buildfile: '' }),
    app({ context: '', commit: '' }),
    app({}, { build: { cache: false } }),
    app({}, { build: { registry: {} } }),
  ])
    assert.is(nameOf(same), name);
  const others = [
    nameOf(app({ repository: 'demo/other' })),
    nameOf(app({ branch: 'next' })),
    nameOf(app({ commit: 'a'.repeat(40) })),
    nameOf(app({ buildfile: 'Other' })),
    nameOf(app({ context: 'web' })),
    nameOf(app({ waitForCI: true })),
    nameOf(app({}, { build: { cache: true } })),
    nameOf(app({}, { build: { registry: { repository: 'own/registry' } } })),
    nameOf(app({}, { build: { logStoreRef: { name: 'logs' } } })),
    nameOf(app({}, { project: 'other' })),
    nameOf(app({}, { environment: 'staging' })),
    nameOf(app(), { ...settings, platform: { repository: 'registry.local/apps', credential: 'pull' } }),
    nameOf(app(), { platform: settings.platform }),
  ];
  assert.is(new Set([name, ...others]).size, others.length + 1);
});
spec('BLD-009 the name of a build does not depend on the order of its fields', () => {
  const made = buildSpec(app(), settings);
  const turned = Object.fromEntries(Object.entries(made ?? {}).toReversed());
  assert.is(buildName(turned as unknown as CoreBuild['spec']), nameOf(app()));
});
spec('BLD-011 BLD-012 BLD-013 BLD-014 BLD-015 BLD-016 BLD-017 the labels of a build', () => {
  const made = buildSpec(app(), settings);
  assert.equal(made && buildOf(app(), made).metadata.labels, {
    'core.platform/app': 'shop',
    'core.platform/name': 'shop',
    'core.platform/kind': 'CoreBuild',
    'core.platform/managed-by': 'core',
    'core.platform/system-namespace': 'core-system',
    'core.platform/project': 'demo',
    'core.platform/environment': 'production',
  });
});
spec('BLD-028 BLD-034 commit and context of a build are optional texts copied from the service', () => {
  for (const [field, source] of [
    ['revision', 'commit'],
    ['context', 'context'],
  ] as const) {
    assert.is(buildSpec(app({ [source]: 'web' }), settings)?.[field], 'web');
    assert.is(buildSpec(app(), settings)?.[field], undefined);
    assert.is(schemaAt('corebuilds', `spec.${field}`).type, 'string');
    assert.not.ok(schemaAt('corebuilds', 'spec').required?.includes(field));
  }
});
spec(
  'BLD-040 BLD-043 BLD-052 a build uses the registry of its service or the platform, and connection and token of its project',
  () => {
    const platform = { repository: 'registry.local/apps', credential: 'pull' };
    const plain = buildSpec(app(), { ...settings, platform });
    assert.is(plain?.registry, 'registry.local/apps');
    assert.equal(plain?.credentialRef, { name: 'pull' });
    assert.equal(plain?.connectionRef, { name: 'c' });
    assert.equal(plain?.gitCredentialRef, { name: 't' });
    const unlinked = buildSpec(app(), { platform });
    assert.equal([unlinked?.connectionRef, unlinked?.gitCredentialRef], [undefined, undefined]);
    const own = buildSpec(app({}, { build: { registry: { repository: 'own/r' } } }), { ...settings, platform });
    assert.is(own?.registry, 'own/r');
    assert.is(own?.credentialRef, undefined);
    assert.is(buildSpec(app({}, { source: { image: 'x' } }), settings), null);
  },
);

/** A build of one service, finished at minute `n`. */
const at = (n: number, phase: string, change: object = {}): CoreBuild => {
  const time = new Date(Date.UTC(2027, 0, 1, 0, n)).toISOString();
  const made = userBuild(
    `shop-build-${n}`,
    {},
    { phase, ...(phase === 'Succeeded' ? { completedAt: time } : {}), ...change },
  );
  return { ...made, metadata: { ...made.metadata, creationTimestamp: time } };
};
const names = (builds: readonly CoreBuild[]) => builds.map(({ metadata }) => metadata.name).toSorted();
const none = { currentBuild: '', resolvedImage: '' };

spec('BLD-096 BLD-176 the newest ten finished builds are kept, whatever their outcome (decision 49)', () => {
  const ten = Array.from({ length: 10 }, (_, n) =>
    at(n + 10, (['Succeeded', 'Failed', 'Cancelled'] as const)[n % 3] ?? ''),
  );
  assert.equal(outlived(ten, none), []);
  assert.equal(names(outlived([at(1, 'Failed'), ...ten, at(2, 'Succeeded')], none)), ['shop-build-1', 'shop-build-2']);
  const busy = [at(1, 'Running'), at(2, 'Pending'), at(3, 'WaitingForCI'), at(4, '')];
  assert.equal(outlived([...busy, ...ten], none), []);
});
spec('BLD-096 the age of a build counts from its completion, not from its creation', () => {
  const ten = Array.from({ length: 10 }, (_, n) => at(n + 10, 'Succeeded'));
  const old = at(1, 'Succeeded', { completedAt: new Date(Date.UTC(2027, 0, 2)).toISOString() });
  assert.equal(names(outlived([old, ...ten], none)), ['shop-build-10']);
});
spec('BLD-097 the current build of a service and the one whose image runs are never deleted (decision 48)', () => {
  const ten = Array.from({ length: 10 }, (_, n) => at(n + 10, 'Failed'));
  const used = at(1, 'Succeeded', { image: 'host:5000/shop:1', imageDigest: digest('a') });
  const all = [used, at(2, 'Failed'), ...ten];
  assert.equal(
    names(outlived(all, { currentBuild: 'shop-build-2', resolvedImage: `host:5000/shop@${digest('a')}` })),
    [],
  );
  assert.equal(names(outlived(all, { currentBuild: 'shop-build-19', resolvedImage: '' })), [
    'shop-build-1',
    'shop-build-2',
  ]);
});

spec('BLD-102 the current build is the one named by the service, else the newest', () => {
  const builds = [at(1, 'Succeeded'), at(3, 'Failed'), at(2, 'Running')];
  assert.is(currentBuild('shop-build-1', builds)?.metadata.name, 'shop-build-1');
  assert.is(currentBuild(undefined, builds)?.metadata.name, 'shop-build-3');
  assert.is(currentBuild('', builds)?.metadata.name, 'shop-build-3');
  assert.is(currentBuild('gone', builds), undefined);
  assert.is(currentBuild(undefined, []), undefined);
});

spec('a Job belongs to the run that it names, unless it was created after the end of that run', () => {
  const startedAt = '2027-01-01T00:00:00.002Z';
  const ended = { seq: 1, machine: 'build', from: 'Running', event: 'jobFailed', by: 'operator', text: '' };
  const history = [{ ...ended, to: 'Failed', at: '2027-01-01T00:01:00.000Z' }];
  const over = { startedAt, phase: 'Failed', logRef: 'pod-log://x', history } as const;
  const job = (named: string | undefined, creationTimestamp: string) => ({
    metadata: { name: 'x', creationTimestamp, annotations: named === undefined ? {} : { [annotation.run]: named } },
  });
  const [early, late] = ['2027-01-01T00:00:01Z', '2027-01-01T00:04:00Z'];
  const is = (status: NonNullable<CoreBuild['status']>, named: string | undefined, at: string) =>
    isOfRun(job(named, at), userBuild('a', {}, status));
  assert.ok(is(over, startedAt, early));
  assert.not(is(over, startedAt, late));
  assert.not(is(over, '2026-01-01T00:00:00.000Z', early));
  assert.not(is(over, undefined, early));
  assert.not(is({}, undefined, early));
  // A failed build without a Job may yet get one, and a running build has one.
  assert.ok(is({ ...over, logRef: '' }, startedAt, late));
  assert.ok(is({ ...over, phase: 'Running' }, startedAt, late));
});

spec.run();
