import { type Fault, faultKinds } from '../services/fault.ts';

/** Counted calls of the operators are those with side effects: cluster writes, and requests to other services. */
type ProcessTrouble =
  /**
   * The process dies before its n-th call, or after its effect and before its response; the latter affects the process
   * that follows.
   */
  | { readonly is: 'dies'; readonly at: number; readonly when: 'before' | 'after' }
  /** The process pauses at its n-th call, while everything else continues for this long. */
  | { readonly is: 'stands'; readonly at: number; readonly when: 'before' | 'after'; readonly ms: number }
  /** Two operators both believe to be the leader. */
  | { readonly is: 'twins' }
  /** Two operators share a lease: one leads, one is a standby. */
  | { readonly is: 'standBy' }
  /**
   * Two operators share a lease, and the stand-by serves; before its n-th call it pauses until the leader has acted.
   */
  | { readonly is: 'serves'; readonly at?: number }
  /**
   * Once everything rests, every process ends and others start, to which lists come in an order that the seed draws and
   * in small pages. From then on nobody may write.
   */
  | { readonly is: 'restarts'; readonly seed: number }
  /** Of the processes that start then, the first one dies before its n-th call to the cluster, reads among them. */
  | { readonly is: 'diesStarting'; readonly at: number }
  /** Once everything rests, the leader ends, or pauses for longer than its lease, and nobody may write from then on. */
  | { readonly is: 'handsOver'; readonly by: 'death' | 'pause' }
  /** A seed chooses which of the runnable tasks runs next. */
  | { readonly is: 'order'; readonly seed: number };

type EnvironmentTrouble =
  /** Changes of a resource reach the caches only after time has advanced twice. */
  | { readonly is: 'lags'; readonly of: string }
  /** The wall clock is changed directly after the n-th call. */
  | { readonly is: 'jumps'; readonly at: number; readonly ms: number };

/** The n-th request to the Git host, and the following ones in the length of the run. */
export type GitTrouble = {
  readonly is: 'git';
  readonly answers: 'silence' | 'refusal' | 'limit' | 'late';
  readonly at: number;
  readonly for?: number;
};

export type StoreTrouble = {
  readonly is: 'store';
  readonly does: 'refuse' | 'loseAnswer' | 'late';
  readonly at: number;
  readonly for?: number;
};

/** The n-th request to the provider of managed databases, and the following ones in the length of the run. */
export type ProviderTrouble = {
  readonly is: 'provider';
  readonly does: 'refuse' | 'limit' | 'loseAnswer' | 'late';
  readonly at: number;
  readonly for?: number;
};

/** The n-th request to the cloud of a connection, and the following ones in the length of the run. */
export type CloudTrouble = {
  readonly is: 'cloud';
  readonly does: 'silence' | 'throttle' | 'break' | 'refuse' | 'loseAnswer' | 'late';
  readonly at: number;
  readonly for?: number;
};

/** An external change: one that the subject lists by name. */
export type UserEdit =
  /** Once the instance is temporarily idle in this state. */
  | { readonly is: 'hand'; readonly does: string; readonly in: string }
  /** Directly after the n-th call, in the middle of a pass. */
  | { readonly is: 'handAfter'; readonly does: string; readonly at: number };

/** One fault: a flat record of words and numbers, so that it can be written as text and parsed again. */
export type Trouble =
  Fault | ProcessTrouble | EnvironmentTrouble | GitTrouble | StoreTrouble | ProviderTrouble | CloudTrouble | UserEdit;

const troubleKinds: readonly Trouble['is'][] = [
  ...faultKinds,
  'dies',
  'stands',
  'twins',
  'standBy',
  'serves',
  'restarts',
  'diesStarting',
  'handsOver',
  'order',
  'lags',
  'jumps',
  'git',
  'store',
  'provider',
  'cloud',
  'hand',
  'handAfter',
];

/** The faults of these kinds, in their order. */
export const ofKind = <Is extends Trouble['is']>(
  troubles: readonly Trouble[],
  ...kinds: readonly Is[]
): readonly Extract<Trouble, { readonly is: Is }>[] =>
  troubles.filter((trouble): trouble is Extract<Trouble, { readonly is: Is }> =>
    (kinds as readonly string[]).includes(trouble.is),
  );

const minuteMs = 60_000;

const runs: readonly Trouble['is'][] = [
  'timeOut',
  'loseAnswer',
  'refuse',
  'conflict',
  'git',
  'store',
  'provider',
  'cloud',
  'slow',
  'webhook',
];
const once: Partial<Record<Trouble['is'], number>> = {
  loseEvent: 25 * minuteMs,
  deafWatch: 5 * minuteMs,
  standBy: 2 * minuteMs,
  serves: minuteMs,
  restarts: 2 * minuteMs,
  handsOver: 5 * minuteMs,
  lags: 3 * minuteMs,
};

/** By how much a fault may delay a requeue: slow calls take their time, and lost events are recovered later. */
export function delayOf(trouble: Trouble): number {
  const times = 'for' in trouble ? (trouble.for ?? 1) : 1;
  if (runs.includes(trouble.is)) return times * minuteMs;
  const ownMs = 'ms' in trouble ? Math.abs(trouble.ms) : 0;
  return ownMs + (once[trouble.is] ?? 0);
}

/** `dies at=3 when=after` */
export function sayTrouble({ is, ...how }: Trouble): string {
  return [is, ...Object.entries(how).map(([name, value]) => `${name}=${String(value).replaceAll(' ', '_')}`)].join(' ');
}

/** Parses the output of `sayTrouble`; null when no fault matches. */
export function readTrouble(text: string): Trouble | null {
  const [is = '', ...how] = text.trim().split(/\s+/);
  if (!(troubleKinds as readonly string[]).includes(is)) return null;
  const fields = how.map((one) => {
    const [name = '', ...value] = one.split('=');
    const word = value.join('=').replaceAll('_', ' ');
    return [name, /^-?\d+$/.test(word) ? Number(word) : word] as const;
  });
  return { is, ...Object.fromEntries(fields) } as unknown as Trouble;
}
