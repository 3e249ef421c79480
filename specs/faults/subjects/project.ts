import { Effect } from 'effect';
import type { CoreProject, ProjectSpec } from '../../../crds/coreProject.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { annotation } from '../../../crds/names.ts';
import { environmentsGoing, environmentsStaying } from '../../../rules/project/deletion.ts';
import { projectController } from '../../../runtime/controllers/project/controller.ts';
import { everyKind, projects } from '../../../runtime/services/cluster/kinds.ts';
import { namespaceIn, projectIn, projectName, putCluster, putProject } from '../../support/project.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import { projectOracle } from './project/oracle.ts';
import {
  askEnvironment,
  askWhole,
  dropCluster,
  dropProject,
  dropService,
  dropVariable,
  home,
  openPolicy,
  projectPaths,
  putNamespace,
  putService,
  putVariable,
  removeBinding,
  removeNamespace,
  removePolicy,
  stateIn,
} from './project/paths.ts';
import type { FaultSubject } from './subject.ts';

const specIs = (spec: Partial<ProjectSpec>) => (fakes: TestEnvironment) => {
  if (projectIn(fakes)) putProject(fakes, spec);
};
const statusIs = (status: object) => (fakes: TestEnvironment) => {
  if (projectIn(fakes)) Effect.runSync(fakes.cluster.patchStatus(projects, { name: projectName }, status));
};
const metadataIs = (metadata: object) => (fakes: TestEnvironment) => {
  if (projectIn(fakes)) Effect.runSync(fakes.cluster.patch(projects, { name: projectName }, { metadata }));
};
const labelled = (labels: Readonly<Record<string, string>>) => (fakes: TestEnvironment) => {
  if (namespaceIn(fakes, home)) putNamespace(fakes, labels);
};
const ready = {
  type: 'Ready',
  status: 'True',
  reason: 'ProjectReady',
  message: 'somebody says so',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};
const phases = ['Reconciling', 'ReconcileError', 'ProjectReady', 'ProvisionFailed'];

/** External changes by users of kubectl to a project, its namespaces and their objects. */
const userEdits: FaultSubject['userEdits'] = {
  ...Object.fromEntries(phases.map((phase) => [`phase ${phase}`, statusIs({ phase })])),
  'the isolation is deleted': (fakes) => removePolicy(fakes, 'core-project-isolation'),
  'the metadata policy is deleted': (fakes) => removePolicy(fakes, 'core-block-cloud-metadata'),
  'the isolation is opened': openPolicy,
  'the binding is deleted': removeBinding,
  'the labels of the namespace are removed': labelled({}),
  'the namespace is given to another project': labelled({ 'core.platform/project': 'somebody' }),
  'the namespace is deleted': (fakes) => {
    if (namespaceIn(fakes, home)) removeNamespace(fakes);
  },
  'it is opened': specIs({ network: { isolation: 'None' } }),
  'it is isolated': specIs({ network: { isolation: 'Project', allowFromProjects: ['api'] } }),
  'another environment': specIs({ environments: ['staging'] }),
  'an environment stands twice': specIs({ environments: ['production', 'production'] }),
  'an environment that is no name': specIs({ environments: ['x'.repeat(63)] }),
  'another cluster': specIs({ clusterRef: { name: 'other' } }),
  'the cluster is deleted': dropCluster,
  'the cluster is not ready': (fakes) => putCluster(fakes, 'local', 'False'),
  'the cluster is ready': (fakes) => putCluster(fakes),
  'a service comes': putService,
  'the service goes': dropService,
  'the status is emptied': statusIs({ phase: null, conditions: null, reconcileRetry: null, environments: null }),
  'the condition is patched': statusIs({ conditions: [ready] }),
  'the Secret of a variable is another': (fakes) => putVariable(fakes, 'third-secret-value'),
  'the Secret of a variable lacks its key': (fakes) => putVariable(fakes, null),
  'the Secret of a variable is deleted': dropVariable,
  'it is deleted': dropProject,
  'it is deleted with everything': (fakes) => askWhole(fakes),
  'its deletion with everything is asked for': (fakes) => askWhole(fakes, 1),
  'the deletion of an environment is asked for': (fakes) => askEnvironment(fakes, 'staging'),
  'the deletion of the last environment is asked for': (fakes) => askEnvironment(fakes, 'production'),
  'the finalizer is removed': metadataIs({ finalizers: null }),
  'it is paused and goes on': (fakes) => {
    metadataIs({ annotations: { [annotation.paused]: 'true' } })(fakes);
    metadataIs({ annotations: { [annotation.paused]: null } })(fakes);
  },
};

/** An environment that is deleted leaves the list with its variables; nothing else of a spec is the operator's. */
function repaired(written: KubeObject): KubeObject {
  if (written.kind !== projects.kind) return written;
  const project = written as CoreProject;
  const environments = environmentsStaying(project);
  const { sharedVariables: variables } = project.spec;
  const sharedVariables = variables?.filter(({ environment }) => !environmentsGoing(project).includes(environment));
  return {
    ...project,
    spec: { ...project.spec, environments, ...(sharedVariables === undefined ? {} : { sharedVariables }) },
  } as KubeObject;
}

/** The project: its namespaces, their policies and binding, and its reports about them. */
export const projectSubject: FaultSubject = {
  name: 'projectReady',
  tables: ['projectReady', 'provisionRetry'],
  controllers: () => [projectController()],
  alsoSeen: everyKind,
  removes: true,
  repaired,
  paths: projectPaths,
  state: stateIn,
  userEdits,
  oracle: projectOracle,
};
