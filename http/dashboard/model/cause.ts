import type { Cause } from '../../api.ts';

/** Whether a cause is that nothing was pushed to a repository yet, which is no failure. */
export const awaitsFirstPush = (cause: Cause | null): boolean => (cause?.root ?? cause)?.reason === 'FirstPushAwaited';

/** The state of a build and its word, as chips show them. */
export const shownBuild = (build: {
  readonly state: string;
  readonly shown: string;
  readonly cause: Cause | null;
}): { readonly state: string; readonly shown: string } =>
  awaitsFirstPush(build.cause)
    ? { state: 'Waiting', shown: 'Waiting for the first push' }
    : { state: build.state, shown: build.shown };

const ofBackups: readonly string[] = ['Backups', 'BackupStorage'];

/** The causes that explain the state of one of an object's machines, the worst first. */
export function causesOf(machine: string, causes: readonly Cause[]): readonly Cause[] {
  if (machine === 'databaseBackup') return causes.filter(({ of }) => ofBackups.includes(of));
  return machine === 'draftDeploy' ? [] : causes;
}

/** A text after the message of a cause, unless it says the same. */
export const afterCause = (cause: Cause | null, text: string): string =>
  cause !== null && cause.message.toLowerCase() === text.toLowerCase() ? '' : text;
