import type { StoredCause } from '../../crds/cause.ts';
import type { FoundCause, ObjectRef } from '../cause/cause.ts';
import { causeOfHeld, failureIn } from '../cause/job.ts';
import type { JobSeen } from '../cause/jobSeen.ts';
import { external, hidden, nothing, open, sentence, toViewers } from '../words.ts';
import { backupText } from './message.ts';

/** The newest dump of a database, unless it succeeded. */
export interface DumpSeen {
  readonly job: JobSeen;
  readonly hasFailed: boolean;
  /** When it is taken again. */
  readonly next: string;
}

/** What the operator of Postgres reports as failed: since when, and its words. */
export interface Reported {
  readonly on: ObjectRef;
  readonly at: string;
  readonly why: string;
}

/** The backups of a database that are not protected. */
export interface BackupsTold {
  readonly self: ObjectRef;
  readonly project: ObjectRef;
  /** `status.backup`. */
  readonly state: string;
  readonly message: string;
  readonly dump: DumpSeen | null;
  /** The latest base backup of Postgres failed. */
  readonly base: (Reported & { readonly next: string }) | null;
  /** The change log of Postgres is not saved. */
  readonly archiving: Reported | null;
  /** The night without a dump; null for none. */
  readonly missed: string | null;
  /** The recorded causes. */
  readonly before: readonly StoredCause[];
}

const ofBackups = (cause: Omit<FoundCause, 'of'>): FoundCause => ({ ...cause, of: 'Backups' });

/** Why the data of a database are not saved, beside Ready. */
export function causesOfBackups(told: BackupsTold): readonly FoundCause[] {
  switch (told.state) {
    case 'NeedsStorage':
      return [withoutStorage(told)];
    case 'Starting':
      return [held(told) ?? failed(told) ?? failedBefore(told) ?? awaited(told)];
    case 'AtRisk':
      return [unsaved(told) ?? held(told) ?? failed(told) ?? missed(told) ?? latest(told)];
    default:
      return [];
  }
}

const withoutStorage = ({ self, project, message }: BackupsTold): FoundCause =>
  message === backupText.noPlace.text
    ? ofBackups({
        reason: 'BackupStorageMissing',
        message: backupText.noPlace,
        on: project.name === '' ? self : project,
      })
    : ofBackups({
        reason: 'BackupStorageFailing',
        message: external(message),
        on: project.name === '' ? self : project,
      });

function held({ dump }: BackupsTold): FoundCause | undefined {
  const cause = dump && causeOfHeld(dump.job);
  return cause ? ofBackups(cause) : undefined;
}

const failedSentence = (given: { readonly at: string; readonly next: string; readonly code?: number | undefined }) =>
  sentence('the backup of {time} failed{code}; next {next}', {
    time: toViewers(given.at),
    code: given.code === undefined ? nothing : sentence(': exit code {code}', { code: toViewers(given.code) }),
    next: toViewers(given.next),
  });

function failed({ dump, base }: BackupsTold): FoundCause | undefined {
  if (base) {
    const message = sentence('{failed}{why}', {
      failed: failedSentence(base),
      why: base.why === '' ? nothing : sentence(': {why}', { why: hidden(base.why) }),
    });
    return ofBackups({ reason: 'BackupFailed', message, on: base.on });
  }
  if (dump === null) return undefined;
  const { job, next, hasFailed } = dump;
  const failure = failureIn(job);
  if (failure === undefined && !hasFailed) return undefined;
  const message = failedSentence({ at: job.startedAt, next, code: failure?.exitCode });
  return ofBackups({ reason: 'BackupFailed', message, on: job.on, ...failure });
}

/** Until a dump succeeds, the next one of a failed first dump changes nothing. */
function failedBefore({ before }: BackupsTold): FoundCause | undefined {
  const known = before.find(({ of, reason }) => of === 'Backups' && reason === 'BackupFailed');
  if (known === undefined) return undefined;
  const { message: text, params, on, exitCode, logLine, lastAt } = known;
  return ofBackups({
    reason: 'BackupFailed',
    message: { text, params },
    on,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(logLine === undefined ? {} : { logLine }),
    ...(lastAt === undefined ? {} : { lastAt }),
  });
}

const awaited = ({ self, dump }: BackupsTold): FoundCause =>
  ofBackups({
    reason: 'CopiesStarting',
    message: dump
      ? sentence('the first backup runs since {time}', { time: toViewers(dump.job.startedAt) })
      : open('the first backup is awaited'),
    on: dump?.job.on ?? self,
  });

const unsaved = ({ archiving }: BackupsTold): FoundCause | undefined =>
  archiving === null
    ? undefined
    : ofBackups({
        reason: 'ChangesNotSaved',
        message: sentence('the change log is not archived since {time}: {why}', {
          time: toViewers(archiving.at),
          why: hidden(archiving.why),
        }),
        on: archiving.on,
      });

const missed = ({ self, missed: night }: BackupsTold): FoundCause | undefined =>
  night === null
    ? undefined
    : ofBackups({
        reason: 'BackupFailed',
        message: sentence('no backup was taken at {time}', { time: toViewers(night) }),
        on: self,
      });

const latest = ({ self, message }: BackupsTold): FoundCause =>
  ofBackups({ reason: 'BackupFailed', message: external(message), on: self });
