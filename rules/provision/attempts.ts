import { causeLength } from '../../crds/cause.ts';
import type { Provision } from '../../crds/provisioning.ts';
import type { FoundCause } from '../cause/cause.ts';
import { oneLine } from '../cause/oneLine.ts';
import { msOf } from '../time.ts';
import type { Message } from '../words.ts';

type Attempt = NonNullable<Provision['provisionAttempts']>[number];

const attemptsKept = 8;
const errorsKept = 12;

const attemptsOf = (provision: Provision | undefined): readonly Attempt[] => provision?.provisionAttempts ?? [];

/** Continues the numbering from the newest kept attempt. */
const nextId = (attempts: readonly Attempt[]): string => {
  const newest = /^attempt-(\d+)$/.exec(attempts[0]?.id ?? '');
  return `attempt-${Number(newest?.[1] ?? 0) + 1}`;
};

const ended = (attempt: Attempt, at: string): Attempt =>
  attempt.phase === 'Running'
    ? { ...attempt, phase: 'Failed', completedAt: at, summary: 'Superseded by a newer attempt' }
    : attempt;

/** Adds an attempt, newest first, and ends one that still runs. */
export function attemptStarted(provision: Provision | undefined, at: string): Provision {
  const before = attemptsOf(provision);
  const id = nextId(before);
  const started: Attempt = { id, startedAt: at, phase: 'Running', summary: 'Provisioning', errors: [] };
  return {
    ...provision,
    activeProvisionAttempt: id,
    provisionAttempts: [started, ...before.map((one) => ended(one, at))].slice(0, attemptsKept),
  };
}

/** The running attempt. */
export const activeAttempt = (provision: Provision | undefined): Attempt | undefined =>
  attemptsOf(provision).find(({ id }) => id === provision?.activeProvisionAttempt);

const changed = (provision: Provision, change: (attempt: Attempt) => Attempt): Provision => ({
  ...provision,
  provisionAttempts: attemptsOf(provision).map((one) =>
    one.id === provision.activeProvisionAttempt ? change(one) : one,
  ),
});

/** The text of an error: the message, and its cause where that says more. */
export function errorText({ text }: Message, [cause]: readonly FoundCause[]): string {
  if (cause === undefined) return text;
  const why = oneLine(cause.message, causeLength).text;
  if (why.includes(text)) return why.startsWith(text) ? why : text;
  return text.includes(why) ? text : `${text}: ${why}`;
}

/** Records an error of the running attempt; nothing when none runs. */
export const errorRecorded = (
  provision: Provision = {},
  error: { readonly recordedAt: string; readonly message: string },
): Provision =>
  changed(provision, (attempt) => ({ ...attempt, errors: [...(attempt.errors ?? []), error].slice(-errorsKept) }));

/** Ends the running attempt; nothing when none runs. */
export function attemptEnded(
  provision: Provision = {},
  end: { readonly at: string; readonly phase: 'Succeeded' | 'Failed'; readonly summary: string },
): Provision {
  const { activeProvisionAttempt: _, ...rest } = changed(provision, (attempt) => ({
    ...attempt,
    phase: end.phase,
    completedAt: end.at,
    summary: end.summary,
  }));
  return rest;
}

/** The last error of the newest attempt, running or ended; empty when it had none. */
export const lastErrorOf = (provision: Provision | undefined): string =>
  attemptsOf(provision)[0]?.errors?.at(-1)?.message ?? '';

/** When the newest attempt succeeded (ms); 0 where it did not. */
export function succeededAt(provision: Provision | undefined): number {
  const [newest] = attemptsOf(provision);
  return newest?.phase === 'Succeeded' ? msOf(newest.completedAt ?? '') || 0 : 0;
}
