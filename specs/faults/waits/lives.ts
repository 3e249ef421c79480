import { statusOf } from '../../http/cli/cases.ts';

/** What the API says of a service from a moment on: a status, or the code of a refusal. */
export type ServerState = { readonly status: ReturnType<typeof statusOf> } | { readonly code: number };
/** In the order of time, which the server keeps. */
type Timeline = readonly (readonly [fromMs: number, says: ServerState])[];

/** One course of things at the server while a command waits. */
export interface Life {
  readonly name: string;
  /** Rows of the table that it walks. */
  readonly rows: readonly string[];
  readonly timeoutMs: number | null;
  /** By the name of the service, in the order in which they are waited for. */
  readonly services: Readonly<Record<string, Timeline>>;
  /** The exit code when nothing goes wrong. */
  readonly exit: number;
}

const is = (fields: object): ServerState => ({
  status: statusOf('web', { ready: false, state: 'pending', ...fields }),
});
const builds = (phase: string) => ({ build: { phase, failureReason: 'no Buildfile' } });
const ready = is({ ready: true, state: 'ready' });
const pending = is({});
const failed = is({ state: 'failed', message: 'gave up' });
const refused = (code: number): ServerState => ({ code });

const life = (name: string, rows: readonly string[], exit: number, timeline: Timeline): Life => ({
  name,
  rows,
  timeoutMs: null,
  services: { web: timeline },
  exit,
});

/** Deploys that are waited for. */
export const deployLives: readonly Life[] = [
  life('it is built and gets ready', ['CLI-268', 'CLI-269', 'CLI-270'], 0, [
    [0, is(builds('Pending'))],
    [4_000, is(builds('Running'))],
    [8_000, is(builds('Succeeded'))],
    [14_000, is({ ready: true, state: 'ready', ...builds('Succeeded') })],
  ]),
  life('the deploy before is ready, and then this one', ['CLI-269a', 'CLI-270'], 0, [
    [0, is({ state: 'ready' })],
    [7_000, is({ state: 'ready', ready: true, pendingChanges: true })],
    [13_000, ready],
  ]),
  life('it fails', ['CLI-269', 'CLI-271'], 5, [
    [0, pending],
    [8_000, failed],
  ]),
  life('its build fails', ['CLI-268', 'CLI-272'], 5, [
    [0, is(builds('Running'))],
    [8_000, is(builds('Failed'))],
  ]),
  life('its build is cancelled, and another deploy gets ready', ['CLI-274', 'CLI-270'], 0, [
    [0, is(builds('Running'))],
    [5_000, is(builds('Cancelled'))],
    [14_000, is({ ready: true, state: 'ready', ...builds('Succeeded') })],
  ]),
  life('the API is away for a while', ['CLI-269b', 'CLI-270'], 0, [
    [0, refused(503)],
    [9_000, refused(429)],
    [14_000, ready],
  ]),
  life('it is deleted', ['CLI-272a'], 3, [
    [0, pending],
    [8_000, refused(404)],
  ]),
  life('the token is revoked', ['CLI-272b'], 4, [
    [0, pending],
    [8_000, refused(401)],
  ]),
  life('the status is refused', ['CLI-272c'], 1, [
    [0, pending],
    [8_000, refused(400)],
  ]),
  { ...life('it never gets ready', ['CLI-269', 'CLI-273'], 6, [[0, pending]]), timeoutMs: 20_000 },
  {
    ...life('the first fails and the second gets ready too late', ['CLI-271', 'CLI-273'], 5, []),
    timeoutMs: 9_000,
    services: { api: [[0, failed]], web: [[0, pending]] },
  },
  {
    ...life('the first gets ready and the second is gone', ['CLI-270', 'CLI-272a'], 3, []),
    services: { api: [[0, ready]], web: [[0, refused(404)]] },
  },
];

const sleeps = (scaleToZero: object) => is({ scaleToZero: { idleSeconds: 300, ...scaleToZero } });

/** Settings of sleep whose answer is waited for. */
export const sleepLives: readonly Life[] = [
  life('the cluster says that it can sleep', ['CLI-277a', 'CLI-275'], 0, [
    [0, sleeps({})],
    [4_500, sleeps({ active: true })],
  ]),
  life('the cluster says that it cannot', ['CLI-277a', 'CLI-276'], 1, [
    [0, sleeps({})],
    [2_500, sleeps({ active: false, message: 'it has no host' })],
  ]),
  life('the cluster says nothing', ['CLI-277'], 1, [[0, sleeps({})]]),
  life('the API is away, and then says that it can', ['CLI-275'], 0, [
    [0, refused(502)],
    [5_500, sleeps({ active: true })],
  ]),
  life('the service is deleted meanwhile', ['CLI-276a'], 3, [
    [0, sleeps({})],
    [2_500, refused(404)],
  ]),
];
