import type { OwnerSeen } from './facts.ts';

const keptMs = 7 * 24 * 3_600_000;

/** `spec.deleteAfter` of an archive that retires now. */
export const deleteAfterOf = (now: number): number => now + keptMs;

/** Deadline of the final backup of a database that is being deleted; null when it is not being deleted. */
export const finalBackupEnds = (owner: OwnerSeen, finalBackupMs: number): number | null =>
  owner.is === 'alive' && owner.deletingSince !== null ? owner.deletingSince + finalBackupMs : null;
