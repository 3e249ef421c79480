import type { StoredCause } from '../../crds/cause.ts';
import type { Afterwards, Provision } from '../../crds/provisioning.ts';
import type { CauseReason } from '../cause/reasons.ts';
import { msOf } from '../time.ts';

/** The reasons for which copies fail that have run. */
const reasons: readonly string[] = [
  'CrashLoop',
  'OutOfMemory',
  'ProbeFailing',
  'ImagePullFailed',
  'ContainerConfigMissing',
  'VolumeFailed',
  'Unschedulable',
  'QuotaExceeded',
  'PodsRefused',
] satisfies CauseReason[];

/** The newest attempt with what happened to its copies after it succeeded; the same value when nothing did. */
export function withAfterwards(
  provision: Provision | undefined,
  causes: readonly StoredCause[],
): Provision | undefined {
  const [newest, ...earlier] = provision?.provisionAttempts ?? [];
  if (newest?.phase !== 'Succeeded') return provision;
  const cause = causes.find((one) => isOfCopies(one) && msOf(timeOf(one)) > msOf(newest.completedAt ?? ''));
  if (cause === undefined) return provision;
  return { ...provision, provisionAttempts: [{ ...newest, afterwards: afterwardsOf(cause) }, ...earlier] };
}

const isOfCopies = ({ of, severity, reason }: StoredCause): boolean =>
  of === 'Ready' && severity === 'failure' && reasons.includes(reason);

const timeOf = ({ lastAt, since }: StoredCause): string => lastAt ?? since;

const afterwardsOf = (cause: StoredCause): Afterwards => ({
  reason: cause.reason,
  message: messageOf(cause),
  at: timeOf(cause),
  count: cause.count ?? 1,
});

function messageOf({ reason, exitCode, message }: StoredCause): string {
  if (reason === 'CrashLoop' && exitCode !== undefined) return `Succeeded, then crashed: exit code ${exitCode}`;
  if (reason === 'OutOfMemory') return 'Succeeded, then was killed at its memory limit';
  return `Succeeded, then failed: ${message}`;
}
