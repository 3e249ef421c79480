import { planKept } from './plan.ts';
import { progressAt } from './progress.ts';
import type { Pod } from './shapes.ts';
import { statusesOf } from './podStatus.ts';

const second = 1000;

/** When the last container of a pod ended: to the millisecond where its plan knows, else to the second; 0 if none did. */
export function endOf(pod: Pod): number {
  const told = Math.max(
    0,
    ...statusesOf(pod.status).map(({ state }) => ('terminated' in state ? Date.parse(state.terminated.finishedAt) : 0)),
  );
  const plan = planKept(pod);
  if (!plan || told === 0) return told;
  const { init, main } = progressAt(pod, plan, told + second);
  return Math.max(told, ...[...init, ...main].map(({ moment }) => (moment.is === 'ended' ? moment.run.endedAt : 0)));
}
