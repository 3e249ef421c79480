import { Effect } from 'effect';
import { annotation } from '../../../crds/names.ts';
import { databaseController } from '../../../runtime/controllers/database/controller.ts';
import { databases, everyKind } from '../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import {
  databaseIn,
  databaseName,
  deploymentIn,
  kubelet,
  putNode,
  putReadyProject,
  secretIn,
  serviceIn,
  workflow,
} from '../../support/database.ts';
import { dropDefinition } from '../../support/engines.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import { databaseOracle } from './database/oracle.ts';
import { annotated, databasePaths, dropDatabase, putPassword, specIs, stateIn } from './database/paths.ts';
import type { FaultSubject } from './subject.ts';

const statusIs = (status: object) => (environment: TestEnvironment) => {
  if (databaseIn(environment))
    Effect.runSync(environment.cluster.patchStatus(databases, { name: databaseName }, status));
};
const metadataIs = (metadata: object) => (environment: TestEnvironment) => {
  if (databaseIn(environment))
    Effect.runSync(environment.cluster.patch(databases, { name: databaseName }, { metadata }));
};
const inEnvironment = (name: string) => ({ name, namespace: 'shop-production' });
const phases = ['Draft', 'Provisioning', 'Ready', 'ProvisionFailed', 'Deleting'];

/** External changes by users of kubectl to a database and its workload. */
const userEdits: FaultSubject['userEdits'] = {
  ...Object.fromEntries(phases.map((phase) => [`phase ${phase}`, statusIs({ phase })])),
  'the gate is closed': specIs({ deploy: { enabled: false } }),
  'the gate is opened': specIs({ deploy: { enabled: true } }),
  'the workflow begins': annotated(workflow),
  'the workflow ends': annotated({ [annotation.deployWorkflow]: null }),
  'a change is said to wait': annotated({ [annotation.pendingChanges]: 'settings' }),
  'no change waits': annotated({ [annotation.pendingChanges]: null, [annotation.pendingUpdates]: null }),
  'the snapshot goes': annotated({ [annotation.lastDeployed]: null }),
  'another revision': annotated({ [annotation.deployRevision]: 'by hand' }),
  'the move goes': annotated({ [annotation.move]: null }),
  'another size': specIs({ storageSize: '3Gi' }),
  'another engine': specIs({ engine: 'Redis' }),
  'the Deployment is deleted': ({ cluster }) => {
    if (deploymentIn({ cluster } as TestEnvironment))
      Effect.runSync(cluster.remove(owned.deployments, inEnvironment(databaseName)));
  },
  'the Service is deleted': (environment) => {
    if (serviceIn(environment)) Effect.runSync(environment.cluster.remove(owned.services, inEnvironment(databaseName)));
  },
  'the connection is deleted': (environment) => {
    const name = `${databaseName}-connection`;
    if (secretIn(environment, 'connection'))
      Effect.runSync(environment.cluster.remove(owned.secrets, inEnvironment(name)));
  },
  'more pods are asked for': (environment) => {
    const patch = { spec: { replicas: 3 } };
    if (deploymentIn(environment))
      Effect.runSync(environment.cluster.patch(owned.deployments, inEnvironment(databaseName), patch));
  },
  'the definition of Postgres servers is deleted': dropDefinition,
  'the pod fails': (environment) => kubelet(environment, 'fails'),
  'the project is not ready': (environment) => putReadyProject(environment, 'False'),
  'the project is ready': (environment) => putReadyProject(environment, 'True'),
  'the node is small': (environment) => putNode(environment, '10m'),
  'another password': (environment) => putPassword(environment, 'of-the-person-too'),
  'the status is emptied': statusIs({ phase: null, conditions: null, reconcileRetry: null, provision: null }),
  'it is deleted': dropDatabase,
  'the finalizer is removed': metadataIs({ finalizers: null }),
  'it is paused and goes on': (environment) => {
    metadataIs({ annotations: { [annotation.paused]: 'true' } })(environment);
    metadataIs({ annotations: { [annotation.paused]: null } })(environment);
  },
};

/** The database: its gate, its counted failures and its workload. */
export const databaseSubject: FaultSubject = {
  name: 'database',
  tables: ['draftDeploy', 'managedDatabase', 'provisionRetry', 'database'],
  controllers: () => [databaseController()],
  alsoSeen: everyKind,
  removes: true,
  paths: databasePaths,
  state: stateIn,
  userEdits,
  oracle: databaseOracle,
};
