import type { ServiceSeen } from '../../../rules/service/facts.ts';
import type { ServiceStanding } from '../../../rules/service/ready.ts';
import { counted, type Blocker, permanent, waiting } from '../provision/hindering.ts';

/** The first message that applies before the service is ready. */
export const blockerIn = (seen: ServiceSeen): Blocker =>
  failed(seen) ?? toldAlone(seen) ?? forbidding(seen) ?? comingUp(seen);

/** A project that is not ready elsewhere is told, and forbids nothing. */
const toldAlone = ({ gate, project }: ServiceSeen): Blocker =>
  project.is === 'notReadyElsewhere' && gate !== 'SnapshotMissing' ? waiting('SVC-027a') : null;

/** The first of those messages with which nothing may be applied. */
export const forbidding = (seen: ServiceSeen): Blocker =>
  failed(seen) ?? placed(seen) ?? imaged(seen) ?? supplied(seen) ?? withCapacity(seen);

/** What was tried and failed in the pass itself. */
function failed({ failure }: ServiceSeen): Blocker {
  if (failure === null) return null;
  if (failure.counts === 'permanent') return permanent('SVC-024');
  return failure.counts === 'counted' ? counted('SVC-024a') : waiting('SVC-024b');
}

function placed({ gate, project, cluster }: ServiceSeen): Blocker {
  if (gate === 'SnapshotMissing') return counted('SVC-025');
  if (project.is === 'absent') return counted('SVC-026');
  if (project.is === 'notReady') return waiting('SVC-027');
  if (project.is === 'withoutEnvironment') return counted('SVC-028');
  return cluster.ready ? null : waiting('SVC-029');
}

/** Only a function has code. */
const imaged = (seen: ServiceSeen): Blocker =>
  (seen.source === 'git' ? built(seen) : null) ?? (seen.isCodeTooLong ? permanent('SVC-034') : null);

function built(seen: ServiceSeen): Blocker {
  if (seen.connection.is === 'absent') return waiting('SVC-030');
  if (seen.connection.is === 'found' && !seen.secret.found) return waiting('SVC-031');
  if (!seen.registry) return counted('SVC-032');
  return seen.image ? null : waiting('SVC-033');
}

function supplied({ databases, buckets, missing, attempting }: ServiceSeen): Blocker {
  const states = databases.map(({ is }) => is);
  if (states.includes('absent')) return counted('SVC-035');
  if (states.includes('notReady')) return waiting('SVC-036');
  if (buckets.some(({ is }) => is === 'absent')) return counted('SVC-036a');
  if (buckets.some(({ is }) => is === 'notReady')) return waiting('SVC-036b');
  if (missing === null) return null;
  return attempting ? counted('SVC-037') : waiting('SVC-037a');
}

function withCapacity({ room: { nodes, crowded: insufficientCapacity } }: ServiceSeen): Blocker {
  if (nodes === 'none') return counted('SVC-038');
  if (nodes === 'reserved') return counted('SVC-039');
  if (insufficientCapacity !== null) return counted('SVC-040');
  return nodes === 'full' ? counted('SVC-040a') : null;
}

/** Of what is applied already. */
function comingUp({ pods, workload, attempting, host }: ServiceSeen): Blocker {
  if (pods === 'failed') return attempting ? counted('SVC-041') : waiting('SVC-041a');
  if (pods === 'none' && workload === 'current') return waiting('SVC-042');
  if (pods === 'starting') return waiting('SVC-043');
  const elsewhere = { here: null, toTheDashboard: 'SVC-043a', toAnother: 'SVC-043b' }[host.leads];
  return elsewhere === null ? null : waiting(elsewhere);
}

/** The id of the Ready message that the documents would show. */
export function readyOf(seen: ServiceStanding): string {
  if (seen.leaving === 'deletion' && seen.failure === null) return 'SVC-047';
  if (seen.gate === 'Draft') return 'SVC-020';
  if (seen.retrying) return 'SVC-021';
  if (seen.gaveUp !== null) return seen.gaveUp.by === 'failures' ? 'SVC-022' : 'SVC-023';
  const blocker = blockerIn(seen);
  if (blocker !== null) return blocker.id;
  if (seen.workload !== 'current') return 'SVC-045';
  return { asleep: 'SVC-046', running: 'SVC-044' }[seen.pods as string] ?? 'SVC-045';
}
