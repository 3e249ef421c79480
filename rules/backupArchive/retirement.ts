import type { OwnerSeen } from './facts.ts';

const keptMs = 7 * 24 * 3_600_000;

/** `spec.deleteAfter` of an archive that is retired now. */
export const deleteAfterOf = (now: number): number => now + keptMs;

/** When a database that is being deleted gives up on its final backup; null when it is not being deleted. */
export const finalBackupEnds = (owner: OwnerSeen, finalBackupMs: number): number | null =>
  owner.is === 'alive' && owner.deletingSince !== null ? owner.deletingSince + finalBackupMs : null;
