import type { ProjectReadyState } from '../../machines/names.ts';
import { provisioningFailed } from '../provisionRetry/messages.ts';
import type { PassOutcome } from '../provisionRetry/facts.ts';
import { outcomeBy } from '../provisionRetry/outcome.ts';
import { type Fact, known } from '../fact.ts';
import type { VerdictRule } from '../verdict.ts';
import type { ProjectObserved } from './facts.ts';
import {
  clusterChanged,
  clusterMissing,
  clusterNotReady,
  environmentDoubled,
  invalidEnvironment,
  invalidNamespace,
  missingFrom,
  projectInvalid,
  takenNamespace,
} from './found.ts';
import { itself, kept, waitsFor } from '../cause/rule.ts';
import { byLacking, byMissingCluster, byProvisioning } from './causes.ts';
import { external, open, sentence, toViewers } from '../words.ts';

/** The facts about a project and the resulting state of a pass. */
export interface ProjectVerdictFacts extends ProjectObserved {
  readonly reached: ProjectReadyState;
}

const counted = { reason: 'ReconcileError', status: 'False', counts: 'counted' } as const;
const temporary = { ...counted, counts: 'waiting' } as const;

/** The errors of a project, in the order checked. */
const errors: readonly VerdictRule<ProjectVerdictFacts>[] = [
  {
    ...counted,
    kind: 'clusterMissing',
    when: clusterMissing,
    message: () => open('Referenced CoreCluster is not available'),
    cause: byMissingCluster,
  },
  {
    ...temporary,
    kind: 'clusterNotReady',
    when: clusterNotReady,
    message: () => open('Referenced CoreCluster is not ready'),
    cause: waitsFor('ClusterNotReady', ({ clusterRef }) => ({ kind: 'CoreCluster', name: clusterRef })),
  },
  {
    ...temporary,
    kind: 'clusterChanged',
    when: clusterChanged,
    message: () => open("Changing a project's clusterRef is not supported"),
    cause: itself('SpecInvalid'),
  },
  {
    ...temporary,
    kind: 'environmentDoubled',
    when: environmentDoubled,
    message: () => open('Project environments must be unique'),
    cause: itself('SpecInvalid'),
  },
  {
    ...counted,
    kind: 'projectInvalid',
    when: (facts) => projectInvalid(facts),
    message: ({ project }) => sentence('invalid project "{project}"', { project: toViewers(project) }),
    cause: itself('SpecInvalid'),
  },
  {
    ...counted,
    kind: 'environmentInvalid',
    when: (facts) => invalidEnvironment(facts) !== undefined,
    message: (facts) =>
      sentence('invalid environment "{invalidEnvironment}"', {
        invalidEnvironment: toViewers(invalidEnvironment(facts) ?? ''),
      }),
    cause: itself('SpecInvalid'),
  },
  {
    ...counted,
    kind: 'namespaceInvalid',
    when: (facts) => invalidNamespace(facts) !== undefined,
    message: (facts) =>
      sentence('project/environment namespace "{invalidNamespace}" is invalid', {
        invalidNamespace: toViewers(invalidNamespace(facts) ?? ''),
      }),
    cause: itself('SpecInvalid'),
  },
  {
    ...counted,
    kind: 'namespaceTaken',
    when: (facts) => takenNamespace(facts) !== undefined,
    message: (facts) =>
      sentence('project/environment namespace "{takenNamespace}" belongs to another project', {
        takenNamespace: toViewers(takenNamespace(facts) ?? ''),
      }),
    cause: itself('NamespaceTaken', (facts) => ({
      kind: 'Namespace',
      name: takenNamespace(facts) ?? '',
      namespace: '',
    })),
  },
  {
    ...temporary,
    kind: 'provisioningWaits',
    when: ({ failure, reached }) => failure?.counts === 'waiting' && reached !== 'ProjectReady',
    message: ({ failure }) => external(failure?.why ?? ''),
    cause: byProvisioning,
  },
  {
    ...counted,
    kind: 'provisioningFailed',
    when: ({ failure }) => failure !== null && failure.counts !== 'waiting',
    message: ({ failure }) => external(failure?.why ?? ''),
    cause: byProvisioning,
  },
];

/** The Ready condition of a project: whether it gave up, then its errors, then its progress. */
export const projectReadyVerdicts: readonly VerdictRule<ProjectVerdictFacts>[] = [
  {
    reason: 'ProvisionFailed',
    status: 'False',
    when: ({ reached }) => reached === 'ProvisionFailed',
    message: () => provisioningFailed,
    cause: kept,
  },
  ...errors,
  {
    reason: 'Reconciling',
    status: 'Unknown',
    counts: 'waiting',
    when: ({ reached }) => reached !== 'ProjectReady',
    message: () => open('Project environments are being set up'),
    cause: byLacking,
  },
  // A ready project stays ready while an owned object is restored or a variable cannot be read.
  { reason: 'ProjectReady', status: 'True', when: () => true, message: () => open('Project environments are ready') },
];

/**
 * The outcome of a pass: what Ready would report if the project had not been given up. Without other errors it depends
 * only on the namespaces.
 */
export function projectOutcome(found: ProjectObserved): Fact<PassOutcome> {
  const { namespaces, missingVariables } = found;
  const isWhole = missingFrom(found).length === 0 && missingVariables.length === 0;
  const facts = { ...found, reached: isWhole ? 'ProjectReady' : 'Reconciling' } as const;
  if (namespaces.is !== 'known' && !errors.some(({ when }) => when(facts))) return namespaces;
  return known(outcomeBy(projectReadyVerdicts, facts));
}
