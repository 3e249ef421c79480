import type { Counters } from '../environment/counters.ts';
import type { Trouble } from './trouble.ts';

/** The input of the patterns: the counts of the undisturbed path, and the external changes that may be made to it. */
export interface Baseline {
  readonly counters: Counters;
  readonly userEdits: readonly string[];
}

type Pattern = (baseline: Baseline) => readonly (readonly Trouble[])[];

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const moments = ['before', 'after'] as const;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Longer than the lease duration. */
const longMs = 240_000;

const each = <One>(ones: readonly One[], make: (one: One) => readonly Trouble[]): readonly (readonly Trouble[])[] =>
  ones.flatMap((one) => make(one).map((trouble) => [trouble]));
const withEach = (first: Trouble, plans: readonly (readonly Trouble[])[]) => plans.map((plan) => [first, ...plan]);

const deaths: Pattern = ({ counters }) =>
  each(upTo(counters.calls[0] ?? 0), (at) => moments.map((when) => ({ is: 'dies', at, when })));

/** Resources whose changes the watches reported. */
const heard = ({ events }: Counters) => [...new Set(events)];

const runs = [1, 3];

/** Every fault by its pattern name, once for each place where it can occur. */
export const patterns: Readonly<Record<string, Pattern>> = {
  'crash, restart': deaths,
  'crash, stale cache': (baseline) =>
    heard(baseline.counters).flatMap((of) => withEach({ is: 'lags', of }, deaths(baseline))),
  'news come late': ({ counters }) => each(heard(counters), (of) => [{ is: 'lags', of }]),
  'two leaders': () => [[{ is: 'twins' }]],
  'leader dies, stand-by takes over': (baseline) => withEach({ is: 'standBy' }, deaths(baseline)),
  'leader stands still, stand-by takes over': ({ counters }) =>
    withEach(
      { is: 'standBy' },
      each(upTo(counters.calls[0] ?? 0), (at) => moments.map((when) => ({ is: 'stands', at, when, ms: longMs }))),
    ),
  'restart at rest': () => upTo(3).map((seed) => [{ is: 'restarts', seed }]),
  'another leader at rest': () => [
    [{ is: 'twins' }, { is: 'restarts', seed: 1 }],
    [{ is: 'standBy' }, { is: 'restarts', seed: 1 }],
    ...(['death', 'pause'] as const).map((by) => [{ is: 'standBy' }, { is: 'handsOver', by }] as const),
  ],
  'leader stands still, restart at rest': ({ counters }) =>
    each(upTo(counters.calls[0] ?? 0), (at) => [{ is: 'stands', at, when: 'before', ms: longMs }]).map((live) => [
      { is: 'standBy' },
      ...live,
      { is: 'restarts', seed: 1 },
    ]),
  'event lost': ({ counters }) => each(upTo(counters.events.length), (at) => [{ is: 'loseEvent', at }]),
  'event doubled': ({ counters }) =>
    each(upTo(counters.events.length), (at) =>
      [0, 500].map((againAfterMs) => ({ is: 'doubleEvent', at, againAfterMs })),
    ),
  'event late': ({ counters }) =>
    each(upTo(counters.events.length), (at) => [
      { is: 'delayEvent', at, ms: 500 },
      { is: 'delayEvent', at, ms: 30_000 },
      { is: 'overtakeEvent', at, ms: 500 },
    ]),
  'any order': ({ counters }) =>
    upTo(counters.events.length > 0 ? 6 : 0).map((seed) => [{ is: 'anyOrder', seed, mostMs: 400 }]),
  'watch ends': ({ counters }) => each(upTo(counters.events.length), (at) => [{ is: 'endWatch', at }]),
  'watch deaf': ({ counters }) => each(upTo(counters.events.length), (at) => [{ is: 'deafWatch', at }]),
  'watch too old': ({ counters }) => each(upTo(counters.watches), (at) => [{ is: 'goneWatch', at }]),
  'relist amid a pass': ({ counters }) => each(upTo(counters.writes), (at) => [{ is: 'relist', at, on: 'write' }]),
  'list from an old view': ({ counters }) =>
    counters.lists.flatMap(({ changes }, index) =>
      each(upTo(Math.min(5, changes)), (back) => [
        { is: 'staleList', at: index + 1, changes: back as 1 | 2 | 3 | 4 | 5 },
      ]),
    ),
  conflict: ({ counters }) =>
    each(upTo(counters.writes), (at) => runs.map((times) => ({ is: 'conflict', at, for: times }))),
  'call refused': ({ counters }) => [
    ...each(upTo(counters.writes), (at) =>
      ([429, 500, 503] as const).flatMap((code) =>
        runs.map((times) => ({ is: 'refuse', with: code, at, for: times, on: 'write' }) as const),
      ),
    ),
    ...each(upTo(counters.reads), (at) => [{ is: 'refuse', with: 503, at, for: 3, on: 'read' }]),
  ],
  'read refused, stale cache': ({ counters }) =>
    heard(counters)
      .filter((of) => of === 'jobs')
      .flatMap((of) =>
        withEach(
          { is: 'lags', of },
          each(upTo(counters.reads), (at) =>
            [1, 6].map((times) => ({ is: 'refuse', with: 503, at, for: times, on: 'read' }) as const),
          ),
        ),
      ),
  'no answer': ({ counters }) => [
    ...each(upTo(counters.writes), (at) =>
      runs.map((times) => ({ is: 'timeOut', at, for: times, on: 'write' }) as const),
    ),
    ...each(upTo(counters.reads), (at) => [{ is: 'timeOut', at, on: 'read' }]),
  ],
  'answer lost': ({ counters }) =>
    each(upTo(counters.writes), (at) =>
      (['atOnce', 'late'] as const).flatMap((noticed) =>
        runs.map((times) => ({ is: 'loseAnswer', noticed, at, for: times }) as const),
      ),
    ),
  'webhook away': ({ counters }) =>
    each(upTo(counters.webhook), (at) => [
      ...runs.map((times) => ({ is: 'webhook', answers: 'nothing', at, for: times }) as const),
      ...[1, 9].map((minutes) => ({ is: 'webhookAway', at, ms: minutes * minuteMs }) as const),
    ]),
  'slow calls': ({ counters }) =>
    each(upTo(counters.writes), (at) => [{ is: 'slow', ms: 4_000, at, for: 3, on: 'call' }]),
  'Git host': ({ counters }) =>
    each(upTo(counters.git), (at) =>
      (['silence', 'refusal', 'limit', 'late'] as const).map((answers) => ({ is: 'git', answers, at }) as const),
    ),
  'object store': ({ counters }) =>
    each(upTo(counters.store), (at) =>
      (['refuse', 'loseAnswer', 'late'] as const).flatMap((does) =>
        runs.map((times) => ({ is: 'store', does, at, for: times }) as const),
      ),
    ),
  'provider of databases': ({ counters }) =>
    each(upTo(counters.provider), (at) =>
      (['refuse', 'limit', 'loseAnswer', 'late'] as const).flatMap((does) =>
        runs.map((times) => ({ is: 'provider', does, at, for: times }) as const),
      ),
    ),
  cloud: ({ counters }) =>
    each(upTo(counters.cloud), (at) =>
      (['silence', 'throttle', 'break', 'refuse', 'loseAnswer', 'late'] as const).flatMap((does) =>
        runs.map((times) => ({ is: 'cloud', does, at, for: times }) as const),
      ),
    ),
  'clock set': ({ counters }) =>
    each(upTo(counters.calls[0] ?? 0), (at) => [-3, 3].map((hours) => ({ is: 'jumps', at, ms: hours * hourMs }))),
  'changed by hand': ({ counters, userEdits }) =>
    each([...new Set(counters.states)], (state) => userEdits.map((does) => ({ is: 'hand', does, in: state }))),
  'changed by hand amid a pass': ({ counters, userEdits }) =>
    each(upTo(counters.calls[0] ?? 0), (at) => userEdits.map((does) => ({ is: 'handAfter', does, at }))),
  'any schedule': () => upTo(8).map((seed) => [{ is: 'order', seed }]),
};
