import type { DeployWaitEvent, DeployWaitState } from '../../../machines/names.ts';
import type { DeployWaitFacts, ServiceStatus } from '../../../rules/deployWait/facts.ts';
import type { Absence } from '../../../rules/engine.ts';

type Event = DeployWaitEvent['type'];

/** Document 002, deploy: a wait begins after an accepted deploy, and never for a draft of a whole environment. */
function begun({ deploy, wait, named, listed }: DeployWaitFacts): Event {
  if (deploy === 'refused') return 'deployRefused';
  if (wait) return named || !['draft', 'deleting'].includes(listed) ? 'deployAccepted' : 'leftOut';
  return 'waitUnasked';
}

/** Document 002, "Errors": the exit codes for refusals of the API. */
function refused({ answer }: DeployWaitFacts): Event | null {
  if (answer.is !== 'refused') return null;
  switch (answer.code) {
    case 404:
      return 'serviceNotFound';
    case 401:
    case 403:
      return 'accessRefused';
    default:
      return answer.code >= 500 || [408, 429].includes(answer.code) ? null : 'statusRefused';
  }
}

/** Document 002, deploy: when a service is done, and when it has failed. */
function settled({ state, ready, pendingChanges, build }: ServiceStatus): Event | null {
  if (ready && !pendingChanges && (!build || build.phase === 'Succeeded')) return 'readyFound';
  if (state === 'failed') return 'stateFailed';
  return build?.phase === 'Failed' ? 'buildFailed' : null;
}

/** Document 002, deploy: past the timeout, 10 minutes unless the flag says otherwise. */
const isPast = ({ now, startedAt, timeoutMs }: DeployWaitFacts) =>
  now - (startedAt ?? now) >= (timeoutMs === null ? 600_000 : timeoutMs);

function going({ state, build }: ServiceStatus): Event {
  if (build?.phase === 'Cancelled') return 'buildCancelled';
  if (build && build.phase !== 'Succeeded' && build.phase !== 'Failed') return 'buildUnfinished';
  return state === 'pending' ? 'stillPending' : 'unsettled';
}

/** Document 002, deploy, written down a second time: what happened to a wait. */
export function documents(state: DeployWaitState | Absence, facts: DeployWaitFacts): Event | null {
  if (state === '(none)') return begun(facts);
  if (state !== 'Waiting') return null;
  const status = facts.answer.is === 'found' ? facts.answer.status : null;
  const ended = refused(facts) ?? (status && settled(status));
  if (ended) return ended;
  if (isPast(facts)) return 'timeoutPassed';
  return status ? going(status) : 'statusSilent';
}

const progressOf: Readonly<Partial<Record<Event, string>>> = {
  serviceNotFound: 'CLI-259',
  accessRefused: 'CLI-259',
  statusRefused: 'CLI-259',
  stateFailed: 'CLI-155',
  buildFailed: 'CLI-156',
  timeoutPassed: 'CLI-158',
  buildCancelled: 'CLI-274',
  buildUnfinished: 'CLI-151',
  stillPending: 'CLI-152',
  statusSilent: 'CLI-253',
  unsettled: 'CLI-138',
};

/** The output of the command, by the id of its row. */
export function documentsOfProgress(facts: DeployWaitFacts): string {
  if (facts.startedAt === null) return 'CLI-150';
  const event = documents('Waiting', facts);
  if (event === 'readyFound') return facts.answer.is === 'found' && facts.answer.status.url ? 'CLI-153' : 'CLI-154';
  return (event && progressOf[event]) ?? '';
}
