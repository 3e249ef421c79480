import { planKept } from './plan.ts';
import { progressAt } from './progress.ts';
import type { Pod } from './shapes.ts';
import { statusesOf } from './podStatus.ts';

const second = 1000;

/** When the last container of a pod ended: to the millisecond where its plan knows, else to the second; 0 if none did. */
export function endOf(pod: Pod): number {
  const latest = Math.max(
    0,
    ...statusesOf(pod.status).map(({ state }) => ('terminated' in state ? Date.parse(state.terminated.finishedAt) : 0)),
  );
  const plan = planKept(pod);
  if (!plan || latest === 0) return latest;
  const { init, main } = progressAt(pod, plan, latest + second);
  return Math.max(latest, ...[...init, ...main].map(({ moment }) => (moment.is === 'ended' ? moment.run.endedAt : 0)));
}
