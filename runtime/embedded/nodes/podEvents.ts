import type { Events } from './events.ts';
import { statusesOf } from './podStatus.ts';
import { type ContainerStatus, type Pod, keyOf } from './shapes.ts';

/** Tells what a kubelet tells when containers went from one status to the next. */
export function tellProgress(events: Events, before: Pod, after: Pod): void {
  const old = statusesOf(before.status);
  for (const status of statusesOf(after.status)) {
    const was = old.find(({ name }) => name === status.name);
    const tell = (type: 'Normal' | 'Warning', reason: string, message: string) =>
      events.tell('kubelet', after, { type, reason, message });
    if (status.containerID !== undefined && status.containerID !== was?.containerID) {
      tell('Normal', 'Created', `Created container ${status.name}`);
      tell('Normal', 'Started', `Started container ${status.name}`);
    }
    if (backsOff(status) && !(was && backsOff(was) && was.restartCount === status.restartCount)) {
      const where = `${after.metadata.name}_${keyOf(after).split('/', 1)[0]}(${after.metadata.uid})`;
      tell('Warning', 'BackOff', `Back-off restarting failed container ${status.name} in pod ${where}`);
    }
  }
}

const backsOff = ({ state }: ContainerStatus) => 'waiting' in state && state.waiting.reason === 'CrashLoopBackOff';
