import type { Provision } from '../../crds/provisioning.ts';

type Attempt = NonNullable<Provision['provisionAttempts']>[number];

const attemptsKept = 8;
const errorsKept = 12;

/** `status.provision` without what only services have; null takes a field away. */
export interface ProvisionFields {
  readonly activeProvisionAttempt?: string | null;
  readonly provisionAttempts?: readonly Attempt[];
}

const attemptsOf = (provision: Provision | undefined): readonly Attempt[] => provision?.provisionAttempts ?? [];

/** Counts on from the newest one that is kept. */
const nextId = (attempts: readonly Attempt[]): string => {
  const newest = /^attempt-(\d+)$/.exec(attempts[0]?.id ?? '');
  return `attempt-${Number(newest?.[1] ?? 0) + 1}`;
};

const ended = (attempt: Attempt, at: string): Attempt =>
  attempt.phase === 'Running'
    ? { ...attempt, phase: 'Failed', completedAt: at, summary: 'Ended before it came to anything' }
    : attempt;

/** One more attempt, the newest first; one that still ran is over. */
export function attemptStarted(provision: Provision | undefined, at: string): ProvisionFields {
  const before = attemptsOf(provision);
  const id = nextId(before);
  const started: Attempt = { id, startedAt: at, phase: 'Running', summary: 'Provisioning', errors: [] };
  return {
    activeProvisionAttempt: id,
    provisionAttempts: [started, ...before.map((one) => ended(one, at))].slice(0, attemptsKept),
  };
}

const changed = (provision: Provision | undefined, change: (attempt: Attempt) => Attempt): ProvisionFields => ({
  provisionAttempts: attemptsOf(provision).map((one) =>
    one.id === provision?.activeProvisionAttempt ? change(one) : one,
  ),
});

/** An error of the attempt under way; nothing where none is. */
export const errorRecorded = (
  provision: Provision | undefined,
  error: { readonly recordedAt: string; readonly message: string },
): ProvisionFields =>
  changed(provision, (attempt) => ({ ...attempt, errors: [...(attempt.errors ?? []), error].slice(-errorsKept) }));

/** The end of the attempt under way; nothing where none is. */
export const attemptEnded = (
  provision: Provision | undefined,
  end: { readonly at: string; readonly phase: 'Succeeded' | 'Failed'; readonly summary: string },
): ProvisionFields => ({
  ...changed(provision, (attempt) => ({
    ...attempt,
    phase: end.phase,
    completedAt: end.at,
    summary: end.summary,
  })),
  activeProvisionAttempt: null,
});
