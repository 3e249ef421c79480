import { isReady, type Observed } from './observed.ts';
import { inPhase, isInPhase, phases } from './phases.ts';
import type { Step } from './step.ts';

/** The primary while the new one is not chosen. */
const pending = 'pending';

/** Replaces an unready primary by a ready instance, unless it is only being restarted. */
export function failover(seen: Observed): Step | null {
  const { currentPrimary: from, targetPrimary: to = pending } = seen.status;
  if (from === undefined || isInPhase(seen, phases.restart)) return null;
  const candidate = seen.instances.find((instance) => instance !== from && isReady(seen, instance));
  if (to === from) return isReady(seen, from) || candidate === undefined ? null : begun(seen, from);
  if (to !== pending && isReady(seen, to)) return { is: 'report', status: { currentPrimary: to } };
  const next = candidate ?? (isReady(seen, from) ? from : undefined);
  if (next === undefined) return null;
  if (to !== pending) return { is: 'report', status: { targetPrimary: pending } };
  return (
    inPhase(seen, phases.failover, `Failing over from ${from} to ${next}`) ?? {
      is: 'report',
      status: { targetPrimary: next },
    }
  );
}

const begun = (seen: Observed, from: string): Step =>
  inPhase(seen, phases.failover, `Initiating a failover from ${from}`) ?? {
    is: 'report',
    status: { targetPrimary: pending },
  };
