import type { ProjectReadyState } from '../../machines/names.ts';
import { provisioningFailed } from '../provisionRetry/events.ts';
import type { VerdictRule } from '../verdict.ts';
import type { ProjectReadyFacts } from './facts.ts';
import {
  clusterChanged,
  clusterMissing,
  clusterNotReady,
  environmentDoubled,
  invalidEnvironment,
  invalidNamespace,
  projectInvalid,
} from './found.ts';

/** The facts of a pass and the state it came to. */
export interface ProjectVerdictFacts extends ProjectReadyFacts {
  readonly reached: ProjectReadyState;
}

/** The Ready condition of a project: what its state says, then what is wrong, in the order checked. */
export const projectReadyVerdicts: readonly VerdictRule<ProjectVerdictFacts>[] = [
  {
    reason: 'ProvisionFailed',
    status: 'False',
    when: ({ reached }) => reached === 'ProvisionFailed',
    message: () => provisioningFailed,
  },
  {
    reason: 'Reconciling',
    status: 'Unknown',
    when: ({ reached }) => reached === 'Reconciling',
    message: () => 'Project environments are being set up',
  },
  // A ready project stays so while a piece is put back or a variable cannot be read.
  {
    reason: 'ProjectReady',
    status: 'True',
    when: ({ reached }) => reached === 'ProjectReady',
    message: () => 'Project environments are ready',
  },
  {
    reason: 'ReconcileError',
    status: 'False',
    when: clusterMissing,
    message: () => 'Referenced CoreCluster is not available',
  },
  {
    reason: 'ReconcileError',
    status: 'False',
    when: clusterNotReady,
    message: () => 'Referenced CoreCluster is not ready',
  },
  {
    reason: 'ReconcileError',
    status: 'False',
    when: clusterChanged,
    message: () => "Changing a project's clusterRef is not supported",
  },
  {
    reason: 'ReconcileError',
    status: 'False',
    when: environmentDoubled,
    message: () => 'Project environments must be unique',
  },
  {
    reason: 'ReconcileError',
    status: 'False',
    when: (facts) => projectInvalid(facts),
    message: ({ project }) => `invalid project "${project}"`,
  },
  {
    reason: 'ReconcileError',
    status: 'False',
    when: (facts) => invalidEnvironment(facts) !== undefined,
    message: (facts) => `invalid environment "${invalidEnvironment(facts)}"`,
  },
  {
    reason: 'ReconcileError',
    status: 'False',
    when: (facts) => invalidNamespace(facts) !== undefined,
    message: (facts) => `project/environment namespace "${invalidNamespace(facts)}" is invalid`,
  },
  {
    reason: 'ReconcileError',
    status: 'False',
    when: ({ takenNamespaces }) => takenNamespaces.length > 0,
    message: ({ takenNamespaces }) =>
      `project/environment namespace "${takenNamespaces[0]}" belongs to another project`,
  },
  {
    reason: 'ReconcileError',
    status: 'False',
    when: () => true,
    message: ({ failure }) => failure ?? 'Project environments could not be set up',
  },
];
