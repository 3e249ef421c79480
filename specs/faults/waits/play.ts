import { ApiFailure } from '../../../http/apiClient/failure.ts';
import type { Run } from '../../../http/cli/command.ts';
import { settle } from '../../../http/cli/waits/sleepSetting.ts';
import { waitForAll } from '../../../http/cli/waits/waitFor.ts';
import type { Life, ServerState } from './lives.ts';

/** What goes wrong, at one read of the status. */
export const troubles = [
  'nothing',
  'silent',
  'answered 500',
  'stale',
  'hangs',
  'clock set ahead',
  'clock set back',
  'asleep for an hour',
  'revoked',
  'deleted',
] as const;
type Trouble = (typeof troubles)[number];

/** A life, and what goes wrong at which read of it. */
export interface Plan {
  readonly life: Life;
  readonly trouble: Trouble;
  readonly at: number;
}

/** One read as the command met it. */
export interface Told {
  readonly app: string;
  readonly begunAt: number;
  readonly at: number;
  /** Null for no answer. */
  readonly said: ServerState | null;
}

/** What the wait did, in the time of a clock that nobody sets. */
export interface Played {
  readonly exit: number;
  readonly endedAt: number;
  readonly told: readonly Told[];
  readonly lines: readonly string[];
}

/** Changes what the command sees of the clocks: how a bug is planted around it. */
export type ClockWrapper = (clock: Run['io']['clock']) => Run['io']['clock'];

const hour = 3_600_000;
const staleMs = 6_000;
const readsAtMost = 1_000;

const saidAt = (life: Life, app: string, at: number): ServerState =>
  (life.services[app] ?? []).findLast(([from]) => from <= Math.max(at, 0))?.[1] ?? { code: 404 };

/** The time of the command, of the clock on the wall and of the server, which go apart where that is the trouble. */
function makeTime({ trouble, at }: Plan) {
  const time = { own: 0, wall: 1_000_000_000, server: 0 };
  return {
    time,
    pass: (ms: number) => {
      time.own += ms;
      time.wall += ms;
      time.server += ms;
    },
    disturb: (read: number) => {
      if (read !== at) return;
      if (trouble === 'clock set ahead') time.wall += 24 * hour;
      if (trouble === 'clock set back') time.wall -= 24 * hour;
      if (trouble !== 'asleep for an hour') return;
      time.wall += hour;
      time.server += hour;
    },
  };
}

function answerOf(
  { life, trouble, at }: Plan,
  app: string,
  moment: { readonly read: number; readonly server: number },
) {
  const { read, server } = moment;
  if (trouble === 'revoked' && read >= at) return { code: 401 };
  if (trouble === 'deleted' && read >= at) return { code: 404 };
  if (read !== at) return saidAt(life, app, server);
  if (trouble === 'silent') return null;
  if (trouble === 'answered 500') return { code: 500 };
  return saidAt(life, app, trouble === 'stale' ? server - staleMs : server);
}

/** Plays a plan with the loops of the commands themselves. */
export async function play(
  plan: Plan,
  is: 'deploy' | 'sleep',
  around: ClockWrapper = (clock) => clock,
): Promise<Played> {
  const { time, pass, disturb } = makeTime(plan);
  const told: Told[] = [];
  const lines: string[] = [];
  const ask = (_method: string, path: string, { timeoutMs = 0 } = {}): Promise<unknown> => {
    const [, , app = ''] = path.split('/');
    const read = told.length;
    if (read > readsAtMost) throw new Error('it reads for ever');
    const begunAt = time.own;
    disturb(read);
    const hangs = plan.trouble === 'hangs' && read === plan.at;
    pass(hangs ? timeoutMs : 20);
    const said = hangs ? null : answerOf(plan, app, { read, server: time.server });
    told.push({ app, begunAt, at: time.own, said });
    if (said === null) return Promise.reject(new ApiFailure('no answer'));
    return 'status' in said ? Promise.resolve(said.status) : Promise.reject(new ApiFailure('no', said.code));
  };
  const clock: Run['io']['clock'] = {
    now: () => time.wall,
    monotonic: () => time.own,
    sleep: (ms) => {
      pass(ms);
      return Promise.resolve();
    },
  };
  const run = {
    client: () => ({ ask }),
    note: (line: string) => Promise.resolve(void lines.push(line)),
    io: {
      clock: around(clock),
      catchInterrupt: () => ({ signal: new AbortController().signal, release: () => {} }),
    },
  } as unknown as Run;
  const { services, timeoutMs } = plan.life;
  const awaited = Object.keys(services).map((app) => ({ app, named: true, listed: 'pending', timeoutMs }) as const);
  const { exit } =
    is === 'deploy'
      ? await waitForAll(run, awaited)
      : await settle(run, awaited[0]?.app ?? '', { is: 'sleepAfter', ms: 300_000 });
  return { exit, endedAt: time.own, told, lines };
}
