import type { Explanation } from '../../api.ts';

/** The attempt that is under way, of as many as there may be. */
export interface AttemptCount {
  readonly n: number;
  readonly of: number;
}

const deliveries: Readonly<Record<string, number>> = { FirstAttempt: 1, SecondAttempt: 2, ThirdAttempt: 3 };
const maxDeliveries = 3;
const maxFailures = 5;
const maxPods = 3;

const knownIn = ({ facts }: Explanation, name: string): unknown => {
  const fact = facts[name];
  return fact?.is === 'known' ? fact.value : undefined;
};

function failedPods(explanation: Explanation): number | null {
  const job = knownIn(explanation, 'job');
  const count = typeof job === 'object' && job !== null && 'failedPods' in job ? job.failedPods : undefined;
  return explanation.state === 'Running' && typeof count === 'number' ? count : null;
}

/** Counts the attempts of machines that try a limited number of times; null where none is under way. */
export function attemptCountOf(explanation: Explanation): AttemptCount | null {
  const delivery = deliveries[explanation.state];
  if (delivery !== undefined) return { n: delivery, of: maxDeliveries };
  const failures = knownIn(explanation, 'failures');
  if (explanation.state === 'Counting' && typeof failures === 'number')
    return { n: Math.min(failures + 1, maxFailures), of: maxFailures };
  const pods = failedPods(explanation);
  return pods === null ? null : { n: Math.min(pods + 1, maxPods), of: maxPods };
}
