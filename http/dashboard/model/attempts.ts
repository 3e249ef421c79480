import type { Deployment } from '../../api.ts';

export interface AttemptError {
  readonly recordedAt: string;
  readonly message: string;
}

/** One attempt to provision an object. */
export interface Attempt {
  readonly id: string;
  readonly phase: string;
  readonly summary: string;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  readonly errors: readonly AttemptError[];
  /** What its copies did after it succeeded, where that was no success. */
  readonly afterwards: Afterwards | null;
}

export interface Afterwards {
  readonly reason: string;
  /** Empty for roles that read no messages of attempts. */
  readonly message: string;
  /** When it last happened. */
  readonly at: string;
  readonly count: number;
}

/** How many attempts an object keeps, and how many errors each of them. */
export const maxAttempts = 8;
const maxErrors = 12;

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function afterwardsOf(value: unknown): Afterwards | null {
  const fields = fieldsOf(value);
  const reason = textOf(fields['reason']);
  const count = fields['count'];
  if (reason === '') return null;
  return {
    reason,
    message: textOf(fields['message']),
    at: textOf(fields['at']),
    count: typeof count === 'number' ? count : 1,
  };
}

const attemptOf = (fields: Fields): Attempt => ({
  id: textOf(fields['id']),
  phase: textOf(fields['phase']),
  summary: textOf(fields['summary']),
  startedAt: textOf(fields['startedAt']) || null,
  completedAt: textOf(fields['completedAt']) || null,
  errors: listOf(fields['errors']).map((error) => ({
    recordedAt: textOf(error['recordedAt']),
    message: textOf(error['message']),
  })),
  afterwards: afterwardsOf(fields['afterwards']),
});

/** The attempts in an object's status, newest first. */
export const attemptsOf = (status: Fields): readonly Attempt[] =>
  listOf(fieldsOf(status['provision'])['provisionAttempts'])
    .map(attemptOf)
    .toSorted((a, b) => ((a.startedAt ?? '') < (b.startedAt ?? '') ? 1 : -1));

/** Failures counted in a row; five of them end in ProvisionFailed. */
export function failuresOf(status: Fields): number {
  const count = fieldsOf(status['reconcileRetry'])['reconcileFailures'];
  return typeof count === 'number' ? count : 0;
}

export const maxFailures = 5;

export interface CountedError {
  readonly message: string;
  readonly count: number;
  /** When it was last recorded. */
  readonly last: string;
}

/** The errors that an attempt keeps, newest first. */
export const newestErrors = (errors: readonly AttemptError[]): readonly AttemptError[] =>
  errors.toSorted((a, b) => (a.recordedAt < b.recordedAt ? 1 : -1)).slice(0, maxErrors);

/** Errors with the same text as one, newest first. */
export function countedErrors(errors: readonly AttemptError[]): readonly CountedError[] {
  const counted = new Map<string, CountedError>();
  for (const { message, recordedAt } of errors) {
    const before = counted.get(message);
    const last = before && before.last > recordedAt ? before.last : recordedAt;
    counted.set(message, { message, count: (before?.count ?? 0) + 1, last });
  }
  return [...counted.values()].toSorted((a, b) => (a.last < b.last ? 1 : -1));
}

/** How a deploy went. */
export interface Outcome {
  readonly state: string;
  readonly label: string;
  /** The attempt that tells it, where one is kept. */
  readonly attempt: Attempt | null;
}

/** By the phase of its attempt, or by the verdict on it. */
const wordOf: Readonly<Record<string, string>> = { running: 'Running', succeeded: 'Succeeded', failed: 'Failed' };

const crashes: readonly string[] = ['CrashLoop', 'OutOfMemory'];

/** What followed a success: `Succeeded, then crashed: exit code 1, 17 times.`; roles without messages read the kind. */
export function afterwardsText({ reason, message, count }: Afterwards): string {
  const text = message || `Succeeded, then ${crashes.includes(reason) ? 'crashed' : 'failed'}`;
  return `${text}${count > 1 ? `, ${count} times` : ''}.`;
}

const startOf = ({ startedAt, createdAt }: Deployment): string => startedAt ?? createdAt;

/**
 * How each deploy went: by the newest attempt that began after it and before the next deploy, and of the newest deploy by
 * the verdict on it, which is of the Ready condition, where it has no attempt (DEP-064). Deployments are given, and
 * returned, newest first.
 */
export const outcomesOf = (deployments: readonly Deployment[], attempts: readonly Attempt[]): readonly Outcome[] =>
  deployments.map((deployment, index) => {
    const next = deployments[index - 1];
    const from = Date.parse(startOf(deployment));
    const to = next ? Date.parse(startOf(next)) : Infinity;
    const own = attempts.find(({ startedAt }) => {
      const at = startedAt === null ? Number.NaN : Date.parse(startedAt);
      return at >= from && at < to;
    });
    const word = wordOf[(own?.phase ?? deployment.verdict ?? '').toLowerCase()];
    return { state: word ?? 'Recorded', label: word ?? 'Not recorded', attempt: own ?? null };
  });
