import type { Cause, Explanation, Instance, Machine, Transitions, Variable } from '../../../../http/api.ts';
import type { Reloading } from '../../../../http/dashboard/store/loaded.ts';
import type { Attempt } from '../../../../http/dashboard/model/attempts.ts';
import { tables } from '../../../../machines/tables.ts';
import { instance } from '../instance.ts';

const secondMs = 1000;
/** A moment some seconds ago, or ahead where they are negative. */
export const ago = (seconds: number): string => new Date(Date.now() - seconds * secondMs).toISOString();

/** The machine of builds as the API tells it, from its table. */
export const buildMachine: Machine = {
  name: 'build',
  kinds: ['CoreBuild'],
  initial: 'Pending',
  states: ['Pending', 'WaitingForCI', 'Running', 'Succeeded', 'Failed', 'Cancelled', 'FailedBeforeJob'].map((name) => ({
    name,
    shown: name === 'FailedBeforeJob' ? 'Failed' : name,
    resting: ['Succeeded', 'Failed', 'Cancelled'].includes(name),
    final: false,
    restsUntil: null,
    ensures: [],
  })),
  events: [],
  rows: tables.build.rows,
  asked: [],
  counts: {},
  retrying: 0,
};

const commit = '38b9d5a0c1e2f3a4b5c6d7e8f90123456789abcd';

export const explanation: Explanation = {
  name: 'hello-build-38b9d',
  machine: 'build',
  state: 'FailedBeforeJob',
  shown: 'Failed',
  since: ago(46),
  now: ago(0),
  paused: false,
  text: 'Git host API returned 404 Not Found',
  decision: { is: 'asks', fact: 'commit' },
  restsUntil: null,
  tried: [
    { rule: 'reset-found', row: 'BLD-171', event: 'resetFound', held: 'no', says: '' },
    { rule: 'commit-refused', row: 'BLD-158', event: 'gitHostRefused', held: 'yes', says: 'the Git host refuses' },
    { rule: 'rests-failed', event: 'restedFailed', held: 'not reached', says: '' },
  ],
  facts: {
    now: { is: 'known', value: Date.now() },
    waitForCI: { is: 'known', value: true },
    sourceRevision: { is: 'known', value: commit },
    job: { is: 'known', value: { is: 'present', run: ago(46), outcome: 'failed', failedPods: 2 } },
    checks: { is: 'known', value: [{ name: 'lint', status: 'completed', conclusion: 'success' }] },
    run: { is: 'known', value: null },
    digest: { is: 'unasked' },
    commit: { is: 'unknown', why: 'the Git host did not answer' },
  },
  observedAt: ago(3),
  nextCheckAt: ago(-74),
  notes: [{ name: 'branch', text: 'Next check of the branch', until: ago(-200) }],
  next: [],
};

type Move = Transitions['items'][number];
const move = (seq: number, seconds: number, over: Partial<Move>): Move => ({
  seq,
  machine: 'build',
  from: 'Pending',
  event: 'jobCreated',
  to: 'Running',
  rule: 'job-created',
  row: 'BLD-147',
  by: 'operator',
  at: ago(seconds),
  text: 'the builder Job was created',
  outside: false,
  ...over,
});

const { row: _, ...noArrow } = move(4, 120, { from: 'Running', to: 'Odd', event: 'written', outside: true });

export const moves: readonly Move[] = [
  move(1, 500, { from: '(none)', to: 'Pending', event: 'created', text: '' }),
  move(2, 499.5, { machine: 'draftDeploy', from: 'Draft', to: 'Deployed', event: 'deployed', by: 'admin' }),
  move(3, 400, { by: 'outside' }),
  { ...noArrow, by: 'unknown' },
  move(5, 46, {
    from: 'WaitingForCI',
    to: 'FailedBeforeJob',
    event: 'gitHostRefused',
    rule: 'commit-refused',
    row: 'BLD-158',
    text: 'Git host API returned `404 Not Found`',
  }),
];

/** Data that was read, as pages have it. */
export const loaded = <T>(value: T | null, over: Partial<Reloading<T>> = {}): Reloading<T> => ({
  value,
  failed: null,
  readAt: value === null ? null : Date.now(),
  reload: () => {},
  ...over,
});

const errorsAtMost = 12;
const attempt = (number: number): Attempt => ({
  id: `attempt-${number}`,
  phase: number === 9 ? 'Running' : 'Failed',
  summary: number === 9 ? 'Provisioning' : 'No copy became ready',
  startedAt: ago(1000 - number * 100),
  completedAt: number === 9 ? null : ago(950 - number * 100),
  errors: Array.from({ length: number === 9 ? errorsAtMost + 3 : number % 3 }, (_, index) => ({
    recordedAt: ago(90 - index),
    message: index < 10 ? 'ImagePullBackOff: the registry answers 404' : `readiness probe failed (${index})`,
  })),
  afterwards: null,
});

/** An attempt that succeeded, and whose copies crash since. */
export const crashedAttempt: Attempt = {
  id: 'attempt-1',
  phase: 'Succeeded',
  summary: 'Provisioned',
  startedAt: ago(900),
  completedAt: ago(890),
  errors: [],
  afterwards: {
    reason: 'CrashLoop',
    message: 'Succeeded, then crashed: exit code 1',
    at: ago(20),
    count: 17,
  },
};

/** A crash loop, with the line of its log. */
export const crash: Cause = {
  of: 'Ready',
  reason: 'CrashLoop',
  severity: 'failure',
  message: 'the program ends by itself: exit code 1, 17 restarts',
  hint: 'Read the log: core logs payments',
  on: { kind: 'Deployment', name: 'payments', namespace: 'shop-production' },
  root: null,
  since: ago(800),
  count: 17,
  lastAt: ago(20),
  exitCode: 1,
  logLine: 'FATAL: password authentication failed for user "payments"',
  gaveUp: false,
  resolved: false,
};

/** A cause with a hint. */
export const refused: Cause = {
  of: 'Ready',
  reason: 'GitHostRefused',
  severity: 'failure',
  message: 'Git host API returned 403 Forbidden for demo/hello',
  hint: 'Permit the Git host connection to read the repository.',
  on: { kind: 'CoreGitHostConnection', name: 'embedded', namespace: 'core-system' },
  root: null,
  since: ago(46),
  count: null,
  lastAt: '',
  exitCode: null,
  logLine: '',
  gaveUp: false,
  resolved: false,
};

/** More attempts than are shown, newest first. */
export const attempts: readonly Attempt[] = [9, 8, 7, 6, 5, 4, 3, 2, 1].map(attempt);

export const variables: readonly Variable[] = [
  { name: 'GREETING', kind: 'config', injected: false, from: '', value: 'hi there' },
  { name: 'KEY', kind: 'secret', injected: false, from: '' },
  { name: 'PORT', kind: 'literal', injected: true, from: 'the port of the service', value: '8080' },
  { name: 'DATABASE_URL', kind: 'secret', injected: true, from: 'database orders' },
];

const states = ['Running', 'Succeeded', 'Failed', 'Pending'] as const;

/** Builds by the thousand. */
export const manyInstances = (count: number): readonly Instance[] =>
  Array.from({ length: count }, (_, index) => {
    const state = states[index % states.length] ?? 'Running';
    return instance({
      id: `corebuilds:build-${index}`,
      name: `build-${String(index).padStart(4, '0')}`,
      uid: `uid-${index}`,
      state,
      shown: state,
      since: ago(index * 7),
      reason: `reason ${index}`,
      retrying: index % 10 === 2,
      failures: index % 10 === 2 ? 3 : 0,
      paused: index % 25 === 0,
      nextCheckAt: ago(-20),
    });
  });
