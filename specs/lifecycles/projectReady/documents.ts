import type { ProjectReadyEvent, ProjectReadyState } from '../../../machines/names.ts';
import type { Absence } from '../../../rules/engine.ts';
import type { ProjectReadyFacts, ProjectObserved } from '../../../rules/projectReady/facts.ts';
import type { ProjectVerdictFacts } from '../../../rules/projectReady/ready.ts';

type Event = ProjectReadyEvent['type'];

/** Lowercase letters, digits and dashes, none of them first or last, 1 to 63 of them. */
const isDnsLabel = (name: string) =>
  name.length >= 1 &&
  name.length <= 63 &&
  !name.split('').some((char) => !'abcdefghijklmnopqrstuvwxyz0123456789-'.includes(char)) &&
  !name.startsWith('-') &&
  !name.endsWith('-');

const namespacesOf = ({ namespaces }: ProjectObserved) => (namespaces.is === 'known' ? namespaces.value : []);

/** The row of the table "Ready condition of a project" that describes the fault; null for none. */
function wrong(facts: ProjectObserved, wasReady: boolean): { readonly event: Event; readonly row: string } | null {
  const { project, environments, clusterRef, observedClusterRef, cluster } = facts;
  if (cluster === 'absent') return { event: 'clusterMissing', row: 'PRJ-115' };
  if (cluster === 'notReady') return { event: 'clusterNotReady', row: 'PRJ-116' };
  if (observedClusterRef !== '' && observedClusterRef !== clusterRef)
    return { event: 'clusterChanged', row: 'PRJ-118' };
  if (environments.some((name, at) => environments.indexOf(name) !== at))
    return { event: 'environmentDoubled', row: 'PRJ-119' };
  if (!isDnsLabel(project)) return { event: 'projectInvalid', row: 'PRJ-120' };
  if (!environments.every(isDnsLabel)) return { event: 'environmentInvalid', row: 'PRJ-121' };
  if (environments.some((name) => project.length + 1 + name.length > 63))
    return { event: 'namespaceInvalid', row: 'PRJ-122' };
  if (namespacesOf(facts).some(({ is }) => is === 'taken')) return { event: 'namespaceTaken', row: 'PRJ-122a' };
  if (facts.failure === null) return null;
  if (wasReady && facts.failure.counts === 'waiting') return { event: 'piecesAwaited', row: 'PRJ-113' };
  return { event: 'provisioningFailed', row: facts.failure.counts === 'waiting' ? 'PRJ-128b' : 'PRJ-128a' };
}

/** The conditions of a project, according to the documents. */
export function documents(state: ProjectReadyState | Absence, facts: ProjectReadyFacts): Event | null {
  const over = facts.retry === 'ProvisionFailed';
  if (facts.deleted) return 'deletionFound';
  if (state === 'ProvisionFailed') return over ? 'stayedFailed' : 'specChanged';
  if (over) return 'gaveUp';
  const found = wrong(facts, state === 'ProjectReady');
  if (found !== null) return found.event;
  const isWhole = facts.missingPieces.length === 0 && namespacesOf(facts).every((namespace) => namespace.isWhole);
  if (!isWhole) return 'piecesMissing';
  return facts.missingVariables.length === 0 ? 'provisioned' : 'variableMissing';
}

/** The id of the row of the Ready table that holds. */
export function readyDocuments(facts: ProjectVerdictFacts): string {
  if (facts.reached === 'ProvisionFailed') return 'PRJ-123';
  return (
    wrong(facts, facts.reached === 'ProjectReady')?.row ?? (facts.reached === 'ProjectReady' ? 'PRJ-113' : 'PRJ-114a')
  );
}
