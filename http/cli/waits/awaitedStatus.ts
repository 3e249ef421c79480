import type { BuildPhase, ServiceState, ServiceStatus } from '../../../rules/deployWait/facts.ts';
import type { Status } from '../shapes.ts';

const states = ['ready', 'pending', 'failed', 'draft', 'deleting'] as const satisfies readonly ServiceState[];
const phases = [
  'Pending',
  'WaitingForCI',
  'Running',
  'Succeeded',
  'Failed',
  'Cancelled',
] as const satisfies readonly BuildPhase[];

/** The awaited state of a service; an unknown one is not final. */
export const stateIn = (state: string | undefined): ServiceState => states.find((one) => one === state) ?? 'pending';

function buildIn({ build }: Status): ServiceStatus['build'] {
  if (!build) return null;
  const { phase, failureReason = '' } = build;
  return { phase: phases.find((one) => one === phase) ?? 'Running', failureReason };
}

/** What the wait reads of a status; a service that does not say whether it is ready is so by its state. */
export function awaitedStatus(status: Status): ServiceStatus {
  const state = stateIn(status.state);
  const { message = '', url = '', ready = state === 'ready', pendingChanges = false, replicas } = status;
  return {
    state,
    message,
    url,
    ready,
    pendingChanges,
    replicas: { desired: replicas?.desired ?? 0, ready: replicas?.ready ?? 0 },
    build: buildIn(status),
  };
}
