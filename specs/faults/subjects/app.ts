import { activeDeploymentController } from '../../../runtime/controllers/deployment/lifecycles/activeDeployment/controller.ts';
import { deploymentRecordController } from '../../../runtime/controllers/deployment/controller.ts';
import { Effect } from 'effect';
import type { AppSpec } from '../../../crds/coreApp.ts';
import { annotation } from '../../../crds/names.ts';
import { apps, builds, everyKind } from '../../../runtime/services/cluster/kinds.ts';
import { jobs } from '../../../runtime/services/cluster/resources.ts';
import { buildControllers, type TestEnvironment } from '../../support/environment.ts';
import { appOracle } from './app/oracle.ts';
import { appIn, buildsOf, commit, currentBuildIn, names, needs, putApp, stateIn, takeAway } from './app/objects.ts';
import { appPaths } from './app/paths.ts';
import type { FaultSubject } from './subject.ts';

const specIs = (spec: Partial<AppSpec>) => (environment: TestEnvironment) => {
  if (appIn(environment)) putApp(environment, spec);
};
const statusIs = (status: object) => (environment: TestEnvironment) => {
  if (appIn(environment)) Effect.runSync(environment.cluster.patchStatus(apps, { name: names.app }, status));
};
const annotated = (environment: TestEnvironment, annotations: Readonly<Record<string, string | null>>) =>
  Effect.runSync(environment.cluster.patch(apps, { name: names.app }, { metadata: { annotations } }));

const ready = {
  type: 'Ready',
  status: 'True',
  reason: 'ServiceReady',
  message: 'somebody says so',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};

/** External changes by users of kubectl to a service, to its builds and to what it needs. */
const userEdits: FaultSubject['userEdits'] = {
  'another commit': specIs({ source: commit('b') }),
  'another directory': specIs({ source: commit('a', { context: 'shop' }) }),
  'an image instead': specIs({ source: { image: 'registry.local/ready-made' } }),
  'it becomes a draft': specIs({ deploy: { enabled: false } }),
  'it is deployed': specIs({ deploy: { enabled: true } }),
  'an environment that there is not': specIs({ environment: 'nowhere' }),
  'another registry': (environment) => needs.registry(environment, 'registry.local/other'),
  'the project is deleted': takeAway.project,
  'the connection is deleted': takeAway.connection,
  'the Secret is deleted': takeAway.secret,
  'the registry is removed': takeAway.registry,
  'the status is emptied': statusIs({ conditions: null, currentBuild: null, resolvedImage: null }),
  'the condition is patched': statusIs({ conditions: [ready] }),
  'another current build is written': statusIs({ currentBuild: 'shop-build-of-somebody' }),
  'the build is deleted': (environment) => {
    const build = currentBuildIn(environment);
    if (build) environment.cluster.drop(builds, build.metadata.name);
  },
  'the labels of the build are removed': (environment) => {
    for (const { metadata } of buildsOf(environment))
      Effect.runSync(environment.cluster.patch(builds, { name: metadata.name }, { metadata: { labels: null } }));
  },
  'the Job is deleted': ({ cluster }) => {
    for (const { metadata } of cluster.all(jobs)) cluster.drop(jobs, metadata.name);
  },
  'the service is deleted': ({ cluster }) => cluster.drop(apps, names.app),
  'the service is created anew': (environment) => {
    const spec = appIn(environment)?.spec;
    if (!spec) return;
    environment.cluster.drop(apps, names.app);
    putApp(environment, spec);
  },
  'the service is paused and goes on': (environment) => {
    if (!appIn(environment)) return;
    annotated(environment, { [annotation.paused]: 'true' });
    annotated(environment, { [annotation.paused]: null });
  },
};

/** The build-related part of a service: the inputs and the results of its builds. */
export const appSubject: FaultSubject = {
  name: 'app',
  tables: ['activeDeployment', 'deploymentRecord', 'build', 'draftDeploy', 'provisionRetry', 'service'],
  controllers: () => [...buildControllers(), deploymentRecordController(), activeDeploymentController()],
  alsoSeen: everyKind,
  removes: true,
  paths: appPaths,
  state: stateIn,
  userEdits,
  oracle: appOracle,
};
