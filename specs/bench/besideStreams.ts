import { builds } from '../../runtime/services/cluster/kinds.ts';
import { listenTo } from '../http/listener.ts';
import { serve } from '../http/served.ts';
import { userBuild, until } from '../support/environment.ts';
import { msOfOne } from './http.ts';

/** Reads of one caller beside a hundred streams of another, against the same without them. */
export interface BesideStreamsFigures {
  readonly besideMs: number;
  readonly aloneMs: number;
  /** Budget: at most 1.5. */
  readonly ratio: number;
}

const streams = 100;
const rounds = 6;
/** Between two changes that every stream hears of. */
const changeEveryMs = 200;

export async function besideStreams(): Promise<BesideStreamsFigures> {
  const served = await serve();
  const put = (turn: number) =>
    served.world.cluster.put(
      builds,
      userBuild('bench', { app: 'bench' }, { phase: 'Failed', logRef: 'pod-log://x/builder', lastLogLine: `${turn}` }),
    );
  put(0);
  await until(() => served.operator.caches.get(builds, 'bench'), 'the build is cached');
  let turn = 1;
  const changing = setInterval(() => put((turn += 1)), changeEveryMs);
  const { token } = await served.makeToken();
  const read = () => msOfOne(`${served.url}/api/v1/builds/bench`, { cookie: served.cookieOf() });
  const [beside, alone]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await read());
    const headers = { authorization: `Bearer ${token}` };
    const open = await Promise.all(
      Array.from({ length: streams }, () => listenTo(`${served.url}/api/v1/events`, headers)),
    );
    beside.push(await read());
    for (const one of open) one.close();
    // What the test environment remembers of requests is no cost of theirs.
    served.lines.length = served.answered.length = 0;
  }
  clearInterval(changing);
  await served.stop();
  // The quietest round of each: what else the machine does only ever adds.
  const [besideMs, aloneMs] = [Math.min(...beside), Math.min(...alone)];
  return { besideMs, aloneMs, ratio: besideMs / aloneMs };
}
