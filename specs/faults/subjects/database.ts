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
import type { World } from '../../support/world.ts';
import { databaseOracle } from './database/oracle.ts';
import { annotated, databasePaths, dropDatabase, putPassword, specIs, stateIn } from './database/paths.ts';
import type { FaultSubject } from './subject.ts';

const statusIs = (status: object) => (world: World) => {
  if (databaseIn(world)) Effect.runSync(world.cluster.patchStatus(databases, { name: databaseName }, status));
};
const metadataIs = (metadata: object) => (world: World) => {
  if (databaseIn(world)) Effect.runSync(world.cluster.patch(databases, { name: databaseName }, { metadata }));
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
    if (deploymentIn({ cluster } as World))
      Effect.runSync(cluster.remove(owned.deployments, inEnvironment(databaseName)));
  },
  'the Service is deleted': (world) => {
    if (serviceIn(world)) Effect.runSync(world.cluster.remove(owned.services, inEnvironment(databaseName)));
  },
  'the connection is deleted': (world) => {
    const name = `${databaseName}-connection`;
    if (secretIn(world, 'connection')) Effect.runSync(world.cluster.remove(owned.secrets, inEnvironment(name)));
  },
  'more pods are asked for': (world) => {
    const patch = { spec: { replicas: 3 } };
    if (deploymentIn(world)) Effect.runSync(world.cluster.patch(owned.deployments, inEnvironment(databaseName), patch));
  },
  'the definition of Postgres servers is deleted': dropDefinition,
  'the pod fails': (world) => kubelet(world, 'fails'),
  'the project is not ready': (world) => putReadyProject(world, 'False'),
  'the project is ready': (world) => putReadyProject(world, 'True'),
  'the node is small': (world) => putNode(world, '10m'),
  'another password': (world) => putPassword(world, 'of-the-person-too'),
  'the status is emptied': statusIs({ phase: null, conditions: null, reconcileRetry: null, provision: null }),
  'it is deleted': dropDatabase,
  'the finalizer is removed': metadataIs({ finalizers: null }),
  'it is paused and goes on': (world) => {
    metadataIs({ annotations: { [annotation.paused]: 'true' } })(world);
    metadataIs({ annotations: { [annotation.paused]: null } })(world);
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
