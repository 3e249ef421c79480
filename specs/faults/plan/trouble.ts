import { type Fault, faultKinds } from '../services/fault.ts';

/** The operators make calls that leave something behind: writes of the cluster, and whatever is asked of others. */
export type ProcessTrouble =
  /** The process dies before its n-th call, or when it was done, before its answer; the second of these is for the process that comes after it. */
  | { readonly is: 'dies'; readonly at: number; readonly when: 'before' | 'after' }
  /** It stands still at its n-th call: the world goes on without it for so long. */
  | { readonly is: 'stands'; readonly at: number; readonly when: 'before' | 'after'; readonly ms: number }
  /** Two operators both believe that they lead. */
  | { readonly is: 'twins' }
  /** Two operators share a lease: one leads, one is a standby. */
  | { readonly is: 'standBy' }
  /** What runs next, of all that could, is chosen by a seed. */
  | { readonly is: 'order'; readonly seed: number };

export type WorldTrouble =
  /** The caches hear of a resource only when time has moved on twice. */
  | { readonly is: 'lags'; readonly of: string }
  /** The clock on the wall is set right behind the n-th call. */
  | { readonly is: 'jumps'; readonly at: number; readonly ms: number };

/** The n-th question to the Git host, and those behind it as many as make up the run. */
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

/** Somebody changes something by hand: one of the changes that the subject knows by name. */
export type HandTrouble =
  /** Once the instance is at rest, for the moment, in this state. */
  | { readonly is: 'hand'; readonly does: string; readonly in: string }
  /** Right behind the n-th call, in the middle of whatever runs. */
  | { readonly is: 'handAfter'; readonly does: string; readonly at: number };

/** One thing that goes wrong. A plain record of words and numbers, so that it can be said and read again. */
export type Trouble = Fault | ProcessTrouble | WorldTrouble | GitTrouble | StoreTrouble | HandTrouble;

export const troubleKinds: readonly Trouble['is'][] = [
  ...faultKinds,
  'dies',
  'stands',
  'twins',
  'standBy',
  'order',
  'lags',
  'jumps',
  'git',
  'store',
  'hand',
  'handAfter',
];

/** The troubles of these kinds, in their order. */
export const ofKind = <Is extends Trouble['is']>(
  troubles: readonly Trouble[],
  ...kinds: readonly Is[]
): readonly Extract<Trouble, { readonly is: Is }>[] =>
  troubles.filter((trouble): trouble is Extract<Trouble, { readonly is: Is }> =>
    (kinds as readonly string[]).includes(trouble.is),
  );

const minuteMs = 60_000;

const runs: readonly Trouble['is'][] = ['timeOut', 'loseAnswer', 'refuse', 'conflict', 'git', 'store', 'slow'];
const once: Partial<Record<Trouble['is'], number>> = {
  loseEvent: 25 * minuteMs,
  deafWatch: 5 * minuteMs,
  standBy: 2 * minuteMs,
  lags: 3 * minuteMs,
};

/** By how much a trouble may make a look late: what is slow takes its time, what was lost is found again at last. */
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

/** What `sayTrouble` said; null when no trouble is called so. */
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
