import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { type CoreApp, coreApp } from '../../../crds/coreApp.ts';
import { type CoreBuild, coreBuild } from '../../../crds/coreBuild.ts';
import { typeMeta } from '../../../crds/kind.ts';
import { annotation } from '../../../crds/names.ts';
import { awaitedStatus } from '../../../http/cli/waits/awaitedStatus.ts';
import { statusItem } from '../../../http/views/appStatus.ts';
import { buildName, buildSpec } from '../../../rules/build/build.ts';
import { deployVerdict, verdictOfAttempt } from '../../../rules/deploy/verdict.ts';
import { deployWaitEvents } from '../../../rules/deployWait/events.ts';
import type { DeployWaitFacts } from '../../../rules/deployWait/facts.ts';
import { pendingOf } from '../../../rules/draftDeploy/stored.ts';
import type { CacheReader } from '../../../runtime/cache/reader.ts';
import { deploySeen } from '../../../runtime/controllers/app/observe/deploy.ts';
import { builds } from '../../../runtime/services/cluster/kinds.ts';
import type { Resource } from '../../../runtime/services/cluster/cluster.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('verdict on a deploy');

const phases = [
  '',
  'Pending',
  'WaitingForCI',
  'Running',
  'Succeeded',
  'Failed',
  'Cancelled',
  'of a later release',
] as const;
const repository = 'registry.local/apps/web';
const digests = ['sha256:1', 'sha256:2'] as const;
const images = digests.map((digest) => `${repository}@${digest}`);

interface TestEnvironment {
  readonly app: CoreApp;
  readonly build: CoreBuild | null;
}

const facts = fc.record({
  source: fc.constantFrom('git', 'git', 'image'),
  enabled: fc.constantFrom(true, true, true, true, false),
  deleting: fc.constantFrom(false, false, false, false, true),
  pending: fc.boolean(),
  snapshot: fc.constantFrom(true, true, true, false),
  revision: fc.constantFrom('r1', 'r1', 'r2'),
  takenUpImage: fc.constantFrom('nginx', ...images),
  ready: fc.constantFrom('ServiceReady', 'ServiceReady', 'ReconcileError', 'ProvisionFailed', ''),
  build: fc.option(
    fc.record({
      phase: fc.constantFrom('Succeeded', 'Failed', ...phases),
      imageDigest: fc.constantFrom(...digests),
      failureReason: fc.constantFrom('', 'builder Job failed'),
    }),
    { freq: 5 },
  ),
});
type Facts = typeof facts extends fc.Arbitrary<infer Value> ? Value : never;

const conditionOf = (reason: string) => ({
  type: 'Ready',
  status: reason === 'ServiceReady' ? ('True' as const) : ('False' as const),
  reason,
  message: 'told by Ready',
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

/** A service with one deploy, and its build. */
function worldOf(given: Facts): TestEnvironment {
  const { source, enabled, deleting, pending, snapshot, revision, takenUpImage, ready, build } = given;
  const git = { git: { repository: 'demo/web', branch: 'main', waitForCI: false } };
  const deployed: CoreApp['spec'] = {
    project: 'shop',
    environment: 'production',
    source: source === 'git' ? git : { image: 'nginx' },
    build: { cache: false, registry: { repository } },
    deploy: { enabled },
  };
  const app: CoreApp = {
    ...typeMeta(coreApp),
    metadata: {
      name: 'web',
      ...(deleting && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      annotations: {
        [annotation.deployWorkflow]: 'true',
        [annotation.deployRevision]: 'r1',
        ...(snapshot && { [annotation.lastDeployed]: JSON.stringify({ ...deployed, deploy: { enabled: true } }) }),
        ...(pending && { [annotation.pendingChanges]: 'settings' }),
      },
    },
    spec: pending ? { ...deployed, source: { image: 'saved:later' } } : deployed,
    status: {
      deployRevision: revision,
      takenUpImage,
      currentBuild: 'web-build',
      resolvedImage: takenUpImage,
      ...(ready && { conditions: [conditionOf(ready)] }),
    },
  };
  const wanted = buildSpec({ ...app, spec: deployed }, { platform: { repository: '', credential: '' } });
  if (!wanted || !build) return { app, build: null };
  const status = { ...build, image: repository } as NonNullable<CoreBuild['status']>;
  return {
    app,
    build: {
      ...typeMeta(coreBuild),
      metadata: { name: deployed.deploy.enabled ? buildName(wanted) : 'web-build' },
      spec: wanted,
      status,
    },
  };
}

/** The cache of a process that has heard of no more than these. */
const readerOf = ({ build }: TestEnvironment): CacheReader => {
  const found = build === null ? [] : [build];
  const ofKind = (resource: Resource) => (resource.kind === builds.kind ? found : []);
  return {
    get: (resource: Resource, name: string) => ofKind(resource).find(({ metadata }) => metadata.name === name),
    list: ofKind,
    indexed: ofKind,
    changes: () => 0,
  } as unknown as CacheReader;
};

/** What `deploy --wait` makes of the status that REST answers. */
function waitOf({ app }: TestEnvironment, reader: CacheReader): string {
  const item = statusItem(app, reader, { view: 'whole', gitUrl: '' });
  const waiting: DeployWaitFacts = {
    now: 1_000,
    app: 'web',
    wait: true,
    named: true,
    listed: 'ready',
    deploy: 'accepted',
    startedAt: 1_000,
    timeoutMs: null,
    answer: { is: 'found', status: awaitedStatus(item) },
  };
  const held = deployWaitEvents.find((rule) => rule.in.includes('Waiting') && rule.when(waiting as never));
  return held?.then ?? '';
}

/** What `deploy --wait` judges: saved changes that are not deployed keep it waiting. */
const awaited = (app: CoreApp, reader: CacheReader) => ({
  ...deploySeen(app, reader),
  pendingChanges: pendingOf(app).length > 0,
});

const ends: Readonly<Record<string, string>> = {
  readyFound: 'succeeded',
  stateFailed: 'failed by service',
  buildFailed: 'failed by build',
};

spec(
  'WHK-003 WHK-005 WHK-005a CLI-270 CLI-271 CLI-272 the verdict equals the result of deploy --wait over REST',
  () => {
    const met = new Set<string>();
    fc.assert(
      fc.property(facts.map(worldOf), (world) => {
        const reader = readerOf(world);
        const verdict = deployVerdict(awaited(world.app, reader));
        const is = verdict.is === 'failed' ? `failed by ${verdict.by}` : verdict.is;
        met.add(is);
        assert.is(is, ends[waitOf(world, reader)] ?? 'running');
      }),
      { numRuns: 3_000 },
    );
    assert.equal([...met].toSorted(), ['failed by build', 'failed by service', 'running', 'succeeded']);
  },
);

spec('WHK-005a attempts and records do not end with a failed build, and otherwise end with the verdict', () => {
  fc.assert(
    fc.property(facts.map(worldOf), (world) => {
      const seen = { ...deploySeen(world.app, readerOf(world)), pendingChanges: false };
      const verdict = deployVerdict(seen);
      const shown = verdict.is === 'failed' && verdict.by === 'build' ? 'running' : verdict.is;
      assert.is(verdictOfAttempt(seen), shown);
      if (verdict.is === 'failed') assert.is.not(verdict.message, '');
    }),
    { numRuns: 1_000 },
  );
});

spec('KND-052 a deploy is running until the image of its succeeded build is in use', () => {
  const given = {
    source: 'git',
    enabled: true,
    deleting: false,
    pending: false,
    snapshot: true,
    revision: 'r1',
    takenUpImage: images[0] ?? '',
    ready: 'ServiceReady',
    build: { phase: 'Succeeded', imageDigest: 'sha256:2', failureReason: '' },
  } as const;
  const before = worldOf(given);
  assert.equal(deployVerdict(awaited(before.app, readerOf(before))), { is: 'running' });
  const after = worldOf({ ...given, takenUpImage: images[1] ?? '' });
  assert.equal(deployVerdict(awaited(after.app, readerOf(after))), { is: 'succeeded' });
});

spec.run();
