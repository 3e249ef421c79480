import { Effect } from 'effect';
import { annotation } from '../../../crds/names.ts';
import { appController } from '../../../runtime/controllers/app/controller.ts';
import { apps, everyKind } from '../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import type { Resource } from '../../../runtime/services/cluster/cluster.ts';
import { putNode, putReadyProject } from '../../support/database.ts';
import { pieceIn } from '../../support/project.ts';
import { appIn, deploymentIn, kubelet, serviceName } from '../../support/service.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import { serviceOracle } from './service/oracle.ts';
import { annotated, dropService, putKeys, scale, servicePaths, specIs, stateIn } from './service/paths.ts';
import { sleepingPaths } from './service/sleep.ts';
import { troubledPaths } from './service/troubled.ts';
import type { FaultSubject } from './subject.ts';

const statusIs = (status: object) => (environment: TestEnvironment) => {
  if (appIn(environment)) Effect.runSync(environment.cluster.patchStatus(apps, { name: serviceName }, status));
};
const metadataIs = (metadata: object) => (environment: TestEnvironment) => {
  if (appIn(environment)) Effect.runSync(environment.cluster.patch(apps, { name: serviceName }, { metadata }));
};
const removed =
  (resource: Resource, name: string = serviceName) =>
  (environment: TestEnvironment) => {
    if (pieceIn(environment, resource, name))
      Effect.runSync(environment.cluster.remove(resource, { name, namespace: 'shop-production' }));
  };
const inPlace = { name: serviceName, namespace: 'shop-production' };
const phases = ['Draft', 'Provisioning', 'Ready', 'ProvisionFailed', 'Deleting'];

/** External changes by users of kubectl to a service and its workload. */
const userEdits: FaultSubject['userEdits'] = {
  ...Object.fromEntries(phases.map((phase) => [`phase ${phase}`, statusIs({ phase })])),
  'the gate is closed': specIs({ deploy: { enabled: false } }),
  'the gate is opened': specIs({ deploy: { enabled: true } }),
  'the workflow begins': annotated({ [annotation.deployWorkflow]: 'true' }),
  'the workflow ends': annotated({ [annotation.deployWorkflow]: null }),
  'a change is said to wait': annotated({ [annotation.pendingChanges]: 'settings' }),
  'no change waits': annotated({ [annotation.pendingChanges]: null, [annotation.pendingUpdates]: null }),
  'the snapshot goes': annotated({ [annotation.lastDeployed]: null }),
  'another revision': annotated({ [annotation.deployRevision]: 'by hand' }),
  'the move goes': annotated({ [annotation.move]: null }),
  'another image': specIs({ source: { image: 'nginx:1.29' } }),
  'other variables': specIs({ config: { LEVEL: 'other' } }),
  'no host': specIs({ networking: {} }),
  'autoscaling is turned on': specIs({ autoscaling: { enabled: true, max: 3 } }),
  'the Deployment is deleted': removed(owned.deployments),
  'the Service is deleted': removed(owned.services),
  'the Ingress is deleted': removed(owned.ingresses),
  'the variables are deleted': removed(owned.secrets, 'hello-variables'),
  'the ConfigMap is deleted': removed(owned.configMaps, 'hello-config'),
  'more pods are asked for': (environment) => scale(environment, 5),
  'the template is edited': (environment) => {
    const spec = { template: { spec: { nodeSelector: { somewhere: 'else' } } } };
    if (deploymentIn(environment)) Effect.runSync(environment.cluster.patch(owned.deployments, inPlace, { spec }));
  },
  'the pods fail': (environment) => kubelet(environment, 'fails'),
  'the project is not ready': (environment) => putReadyProject(environment, 'False'),
  'the project is ready': (environment) => putReadyProject(environment, 'True'),
  'the node is small': (environment) => putNode(environment, '10m'),
  'another value': (environment) => putKeys(environment, 'of-the-person-too'),
  'the Secret is deleted': ({ cluster }) => cluster.drop(secrets, 'hello-keys'),
  'the status is emptied': statusIs({ phase: null, conditions: null, reconcileRetry: null, provision: null }),
  'it is deleted': dropService,
  'the finalizer is removed': metadataIs({ finalizers: null }),
  'it is paused and goes on': (environment) => {
    metadataIs({ annotations: { [annotation.paused]: 'true' } })(environment);
    metadataIs({ annotations: { [annotation.paused]: null } })(environment);
  },
};

/** The service: its gate, its counted failures and its workload. */
export const serviceSubject: FaultSubject = {
  name: 'service',
  tables: ['draftDeploy', 'provisionRetry', 'service'],
  controllers: () => [appController({ gitUrl: 'https://git.example' })],
  alsoSeen: everyKind,
  removes: true,
  paths: [...servicePaths, ...sleepingPaths, ...troubledPaths],
  state: stateIn,
  userEdits,
  oracle: serviceOracle,
};
