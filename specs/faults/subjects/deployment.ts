import { Effect } from 'effect';
import { annotation } from '../../../crds/names.ts';
import { appController } from '../../../runtime/controllers/app/controller.ts';
import { activeDeploymentController } from '../../../runtime/controllers/deployment/lifecycles/activeDeployment/controller.ts';
import { deploymentRecordController } from '../../../runtime/controllers/deployment/controller.ts';
import { apps, deployments, everyKind } from '../../../runtime/services/cluster/kinds.ts';
import type { Controller } from '../../../runtime/contract/controller.ts';
import { activeIn, appIn, available, putService, recordsIn, serviceName } from '../../support/deployed.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import { deploymentOracle } from './deployment/oracle.ts';
import { deploymentPaths, stateIn } from './deployment/paths.ts';
import type { FaultSubject } from './subject.ts';

/** Every controller that has to do with deployment records. */
const recordControllers = (): readonly Controller[] => [
  appController({ gitUrl: 'https://git.example' }),
  deploymentRecordController(),
  activeDeploymentController(),
];

const annotated = (annotations: Readonly<Record<string, string | null>>) => (environment: TestEnvironment) => {
  if (appIn(environment))
    Effect.runSync(environment.cluster.patch(apps, { name: serviceName }, { metadata: { annotations } }));
};
const statusIs = (status: object) => (environment: TestEnvironment) => {
  if (appIn(environment)) Effect.runSync(environment.cluster.patchStatus(apps, { name: serviceName }, status));
};
const eachRecord = (act: (environment: TestEnvironment, name: string) => void) => (environment: TestEnvironment) => {
  for (const { metadata } of recordsIn(environment)) act(environment, metadata.name);
};
const recordIs = (patch: object) =>
  eachRecord(({ cluster }, name) => void Effect.runSync(cluster.patch(deployments, { name }, patch)));
const recordMessage = (status: object) =>
  eachRecord(({ cluster }, name) => void Effect.runSync(cluster.patchStatus(deployments, { name }, status)));
const active = { name: `${serviceName}-active` };

/** External changes by users of kubectl to a service and its records. */
const userEdits: FaultSubject['userEdits'] = {
  'the records are deleted': eachRecord(({ cluster }, name) => cluster.drop(deployments, name)),
  'the labels of the records go': recordIs({ metadata: { labels: null } }),
  'the moments of the records go': recordIs({ metadata: { annotations: null } }),
  'the phase of the records goes': recordMessage({ phase: null }),
  'the records are skipped': recordMessage({ phase: 'skipped' }),
  'what runs is said to roll out': (environment) => {
    if (activeIn(environment))
      Effect.runSync(environment.cluster.patchStatus(deployments, active, { phase: 'RollingOut' }));
  },
  'the record of what runs is deleted': (environment) => {
    if (activeIn(environment)) Effect.runSync(environment.cluster.remove(deployments, active));
  },
  'the record of what runs is edited': (environment) => {
    const patch = { spec: { replicas: 7 }, metadata: { ownerReferences: null } };
    if (activeIn(environment)) Effect.runSync(environment.cluster.patch(deployments, active, patch));
  },
  'the list of deploys goes': annotated({ [annotation.deploys]: null }),
  'the list of deploys is broken': annotated({ [annotation.deploys]: '[{' }),
  'it is not known what is recorded': statusIs({ recordedDeploy: null }),
  'another deploy is said to be recorded': statusIs({ recordedDeploy: 'web-zzzzz' }),
  'a pod goes': (environment) => available(environment, 1),
  'it is scaled': (environment) => {
    if (appIn(environment)) putService(environment, { replicas: 3 });
  },
  'the gate is closed': (environment) => {
    if (appIn(environment)) putService(environment, { deploy: { enabled: false } });
  },
  'it is deleted': ({ cluster }) => cluster.drop(apps, serviceName),
  'the finalizer is removed': (environment) => {
    if (!appIn(environment)) return;
    Effect.runSync(environment.cluster.patch(apps, { name: serviceName }, { metadata: { finalizers: null } }));
  },
  'it is paused and goes on': (environment) => {
    annotated({ [annotation.paused]: 'true' })(environment);
    annotated({ [annotation.paused]: null })(environment);
  },
};

/** The records of a service: of its deploys, and of what runs. */
export const deploymentSubject: FaultSubject = {
  name: 'deployment',
  tables: ['draftDeploy', 'provisionRetry', 'service', 'deploymentRecord', 'activeDeployment'],
  controllers: recordControllers,
  alsoSeen: everyKind,
  removes: true,
  paths: deploymentPaths,
  state: stateIn,
  userEdits,
  oracle: deploymentOracle,
};
