import type { OwnerSeen } from './facts.ts';

/** How long backups are kept after their retirement (001 Limits). */
export const archiveKeptMs = 7 * 24 * 3_600_000;

/** `spec.deleteAfter` of an archive that retires now. */
export const deleteAfterOf = (now: number, keptMs: number = archiveKeptMs): number => now + keptMs;

/** Whether an archive would be purged too early after the deletion of its database. */
export const isKeptTooShort = (owner: OwnerSeen, deleteAfter: number | null, keptMs: number = archiveKeptMs): boolean =>
  owner.is === 'alive' &&
  owner.deletingSince !== null &&
  deleteAfter !== null &&
  deleteAfter < deleteAfterOf(owner.deletingSince, keptMs);

/** Deadline of the final backup of a database that is being deleted; null when it is not being deleted. */
export const finalBackupEnds = (owner: OwnerSeen, finalBackupMs: number): number | null =>
  owner.is === 'alive' && owner.deletingSince !== null ? owner.deletingSince + finalBackupMs : null;
