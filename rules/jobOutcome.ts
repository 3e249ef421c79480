import type { Job } from '../crds/builtIn.ts';

/** The outcome of a Job, with the reason of its failure. */
export type JobOutcome =
  { readonly is: 'running' } | { readonly is: 'succeeded' } | { readonly is: 'failed'; readonly reason: string };

/** Reads the outcome of a Job from its conditions. */
export function jobOutcome({ status }: Pick<Job, 'status'>): JobOutcome {
  const holding = (wanted: string) => status?.conditions?.find((one) => one.type === wanted && one.status === 'True');
  if (holding('Complete')) return { is: 'succeeded' };
  const failed = holding('Failed');
  return failed ? { is: 'failed', reason: failed.reason ?? '' } : { is: 'running' };
}
