import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import type { StoredCause } from '../../../../crds/cause.ts';
import { type CoreApp, coreApp } from '../../../../crds/coreApp.ts';
import { type CoreBuild, coreBuild } from '../../../../crds/coreBuild.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { annotation, label } from '../../../../crds/names.ts';
import { buildName, buildSpec } from '../../../../rules/build/build.ts';
import { apps, builds } from '../../../../runtime/services/cluster/kinds.ts';
import { inSystem, projectName } from '../../../support/project.ts';
import { suite } from '../../../support/suite.ts';
import { digest, type TestEnvironment } from '../../../support/environment.ts';
import { projectSession } from './session.ts';

const spec = suite('events of a deploy and its build');
type Session = Awaited<ReturnType<typeof projectSession>>;

const repository = 'registry.local/apps/web';
const imageOf = (character: string) => `${repository}@${digest(character)}`;
const commit = 'c'.repeat(40);
const git = { git: { repository: 'demo/hello', branch: 'main', waitForCI: false } };
const pinned = { git: { ...git.git, commit } };

interface Service {
  readonly source?: CoreApp['spec']['source'];
  /** The image that runs; empty before the first. */
  readonly image?: string;
  readonly ready?: 'ServiceReady' | 'ProvisionFailed' | 'ReconcileError';
  /** What was saved after the deploy. */
  readonly saved?: CoreApp['spec']['source'];
}

/** A service as its controller leaves it after a deploy that was announced. */
function putApp(
  { cluster }: TestEnvironment,
  { source = git, image = '', ready = 'ReconcileError', saved }: Service,
): CoreApp {
  const found = cluster.all(apps)[0];
  const deployed: CoreApp['spec'] = {
    project: projectName,
    environment: 'production',
    source,
    build: { cache: false, registry: { repository } },
    deploy: { enabled: true },
  };
  const status = ready === 'ServiceReady' ? 'True' : 'False';
  const condition = { type: 'Ready', status, reason: ready, message: 'told by Ready', lastTransitionTime: '' } as const;
  return cluster.put(apps, {
    ...typeMeta(coreApp),
    metadata: {
      ...(found?.metadata ?? inSystem('web')),
      annotations: {
        [annotation.deployWorkflow]: 'true',
        [annotation.deployRevision]: 'r1',
        [annotation.announcedDeploy]: 'r1',
        [annotation.lastDeployed]: JSON.stringify(deployed),
        ...(saved && { [annotation.pendingChanges]: 'settings' }),
      },
    },
    spec: saved ? { ...deployed, source: saved } : deployed,
    status: {
      deployRevision: 'r1',
      ...(image && { takenUpImage: image, resolvedImage: image }),
      conditions: [condition],
    },
  });
}

/** The build of what was deployed of the service. */
function putBuild({ cluster }: TestEnvironment, source: CoreApp['spec']['source'], status: CoreBuild['status']): void {
  const [app] = cluster.all(apps);
  const of =
    app && buildSpec({ ...app, spec: { ...app.spec, source } }, { platform: { repository: '', credential: '' } });
  if (!of) throw new Error('nothing is built');
  const metadata = { ...inSystem(buildName(of)), labels: { [label.app]: 'web' } };
  cluster.put(builds, { ...typeMeta(coreBuild), metadata, spec: of, ...(status && { status }) });
}

interface Body {
  readonly type: string;
  readonly deployment: { readonly image: string; readonly commit?: string };
  readonly message?: string;
}
const events = ({ environment }: Session) =>
  environment.receivers.got.map(({ body }) => {
    const { type, deployment, message } = JSON.parse(body) as Body;
    return [type, deployment.image, ...(message === undefined ? [] : [message])];
  });
const started = ['deployment.started', 'demo/hello@main'];
const succeeded = { phase: 'Succeeded', image: repository, imageDigest: digest('b') } as const;

async function withSession(test: (session: Session) => Promise<void>): Promise<void> {
  const session = await projectSession({
    webhooks: [{ id: '11111111', url: 'https://hooks.example/x', disabled: false }],
  });
  session.environment.receivers.answer = () => Effect.succeed({ is: 'answered', code: 200 });
  try {
    await test(session);
  } finally {
    await session.end();
  }
}

spec('WHK-003 a deploy succeeds after its build and reports the image that runs then', () =>
  withSession(async (session) => {
    await session.edit((environment) => void putApp(environment, { image: imageOf('a'), ready: 'ServiceReady' }));
    await session.pass(60);
    assert.equal(events(session), [started], 'its build is still to be created');
    await session.edit((environment) => putBuild(environment, git, { phase: 'Running' }));
    await session.pass(60);
    assert.equal(events(session), [started]);
    await session.edit((environment) => putBuild(environment, git, succeeded));
    await session.pass(60);
    assert.equal(events(session), [started], 'the image before still runs');
    await session.edit((environment) => void putApp(environment, { image: imageOf('b'), ready: 'ServiceReady' }));
    await session.pass(60);
    assert.equal(events(session), [started, ['deployment.succeeded', imageOf('b')]]);
  }),
);

const buildCause: StoredCause = {
  of: 'Ready',
  reason: 'BuildFailed',
  severity: 'failure',
  message: 'build of abc failed in container builder: exit code 3',
  on: { kind: 'CoreBuild', name: 'hello', namespace: 'core-system' },
  since: '2027-01-01T00:00:00Z',
  logLine: 'error: not for webhooks',
};

spec('WHK-005a a deploy is reported as failed once when its build fails, whatever its service runs', () =>
  withSession(async (session) => {
    await session.edit((environment) => void putApp(environment, { image: imageOf('a'), ready: 'ServiceReady' }));
    await session.edit((environment) =>
      putBuild(environment, git, { phase: 'Failed', failureReason: 'builder Job failed', causes: [buildCause] }),
    );
    const message = 'builder Job failed Cause: build of abc failed in container builder: exit code 3';
    const failed = ['deployment.failed', 'demo/hello@main', message];
    assert.equal(events(session), [started, failed]);
    await session.edit((environment) => putBuild(environment, git, succeeded));
    await session.edit((environment) => void putApp(environment, { image: imageOf('b'), ready: 'ServiceReady' }));
    await session.pass(3_600);
    assert.equal(events(session), [started, failed]);
  }),
);

spec('WHK-005a a deploy whose repository was never pushed has not failed: its first push is awaited', () =>
  withSession(async (session) => {
    const refused = 'Git host API returned 404 Not Found';
    const awaited = {
      ...buildCause,
      reason: 'FirstPushAwaited',
      severity: 'waiting',
      message: 'nothing was pushed yet',
    } as const;
    await session.edit((environment) => void putApp(environment, {}));
    await session.edit((environment) =>
      putBuild(environment, git, { phase: 'Failed', failureReason: refused, causes: [awaited] }),
    );
    await session.pass(3_600);
    assert.equal(events(session), [started]);
    await session.edit((environment) => putBuild(environment, git, succeeded));
    await session.edit((environment) => void putApp(environment, { image: imageOf('b'), ready: 'ServiceReady' }));
    assert.equal(events(session), [started, ['deployment.succeeded', imageOf('b')]]);
  }),
);

spec('WHK-005a a first deploy whose build is cancelled neither fails nor succeeds', () =>
  withSession(async (session) => {
    await session.edit((environment) => void putApp(environment, {}));
    await session.edit((environment) => putBuild(environment, git, { phase: 'Cancelled' }));
    await session.pass(3_600);
    assert.equal(events(session), [started]);
  }),
);

spec('WHK-031 a deploy event carries the deployed spec, not later saved changes', () =>
  withSession(async (session) => {
    const saved = { git: { ...git.git, commit: 'd'.repeat(40) } };
    const app = { source: pinned, saved, ready: 'ServiceReady', image: imageOf('b') } as const;
    await session.edit((environment) => void putApp(environment, { ...app, saved: pinned }));
    await session.edit((environment) => {
      putBuild(environment, pinned, succeeded);
      putApp(environment, app);
    });
    const commits = session.environment.receivers.got.map(({ body }) => (JSON.parse(body) as Body).deployment.commit);
    assert.equal(commits, [commit, commit]);
    assert.equal(events(session).at(-1), ['deployment.succeeded', imageOf('b')]);
  }),
);

for (const [source, image] of [
  [{ function: { runtime: 'bun', code: '', mode: 'http' } }, 'function:bun'],
  [{ image: 'nginx:1' }, 'nginx:1'],
  [git, 'demo/hello@main'],
] as const)
  spec(`WHK-002 WHK-031 the start of a deploy names ${image}`, () =>
    withSession(async (session) => {
      await session.edit((environment) => void putApp(environment, { source }));
      assert.equal(events(session), [['deployment.started', image]]);
    }),
  );

spec('WHK-031 the start of a deploy that is already built names the digest', () =>
  withSession(async (session) => {
    await session.edit((environment) => {
      putApp(environment, { image: imageOf('b') });
      putBuild(environment, git, succeeded);
    });
    assert.equal(events(session), [['deployment.started', imageOf('b')]]);
  }),
);

spec.run();
