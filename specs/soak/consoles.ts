import { Effect } from 'effect';
import { WebSocket } from 'ws';
import type { ConsoleCreated, NewApiToken } from '../../http/api.ts';
import { pods } from '../../runtime/services/cluster/resources.ts';
import { until } from '../support/until.ts';
import type { SoakProcesses, OperatorPart } from './processes.ts';
import { countOutcome, type Ledger } from './ledger.ts';
import { type Proxy, startProxy, type Weather } from './proxy.ts';
import type { Random } from './random.ts';
import type { Rest } from './rest.ts';
import type { Timeline } from './timeline.ts';

interface Consoling {
  readonly processes: SoakProcesses;
  readonly ledger: Ledger;
  readonly rest: Rest;
  readonly random: Random;
  readonly timeline: Timeline;
}

/** Scripts that open terminals, until they are told to stop. */
export interface Consoles {
  /** What the connections of their clients met, by operator. */
  readonly proxied: () => Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly stop: () => Promise<void>;
}

const app = 'console-web';
const place = { project: 'shop', environment: 'production' };
const namespace = `${place.project}-${place.environment}`;
const limitSeconds = 8;
const answerWithinMs = 6_000;
const shownWithinMs = 4_000;
const readyWithinMs = 60_000;
const lanes = 3;

/** What the clients of terminals meet on their way to an operator. */
const weather: Weather = { dropped: 5, reset: 15, halfClosed: 10, slow: 10, swallowed: 5 };
const ways = { exits: 3, closes: 2, leaves: 3, works: 3, stays: 1 } as const;
type Way = keyof typeof ways;

const pause = (ms: number) => new Promise((go) => setTimeout(go, ms));

/** A running copy of the service whose terminals are opened. */
async function copyIn({ direct }: SoakProcesses): Promise<{ readonly pod: string; readonly container: string } | null> {
  const { items } = await Effect.runPromise(direct.list(pods, { namespace }));
  for (const { metadata, status } of items) {
    const running = status?.containerStatuses?.find(({ state }) => state !== undefined && 'running' in state);
    if (running && metadata.name.startsWith(app)) return { pod: metadata.name, container: running.name };
  }
  return null;
}

/** The service that is entered, once a copy of it runs. */
export async function furnishConsoles(processes: SoakProcesses, rest: Rest): Promise<void> {
  const [operator] = processes.operators;
  if (!operator) return;
  const service = { ...place, name: app, source: 'image', image: 'nginx:1.27', deploy: true };
  await until(
    async () => {
      const { is, ...more } = await rest.post(operator, '/api/apps', service);
      return is === 'done' || ('why' in more && more.why.startsWith('409'));
    },
    'the service of the terminals is made',
    readyWithinMs,
  );
  await until(() => copyIn(processes).catch(() => null), 'a copy of it runs', readyWithinMs);
}

/** A connection that stands, or null. */
function attached(url: string, token: string): Promise<WebSocket | null> {
  const headers = { authorization: `Bearer ${token}` };
  const socket = new WebSocket(url, { headers, handshakeTimeout: answerWithinMs, perMessageDeflate: false });
  socket.on('error', () => {});
  return new Promise((done) => {
    socket.once('open', () => done(socket));
    socket.once('close', () => done(null));
  });
}

const isOver = (socket: WebSocket) => socket.readyState === WebSocket.CLOSED;
/** What a shell makes of it is not what was typed. */
const shows = 'answer-42';
const lineOf = (mark: string) => `export SOAK=${mark}; echo answer-$((40+2))\n`;

/** Terminals by tokens of their own, so that each line of the log tells whose it is; each is typed a mark into. */
export async function startConsoles({ processes, ledger, rest, random, timeline }: Consoling): Promise<Consoles> {
  const proxies = new Map<string, Proxy>();
  for (const { name, url } of processes.operators) {
    const proxy = await startProxy(() => Number(new URL(url).port), random.fork(name));
    proxy.weather(weather);
    proxies.set(name, proxy);
  }
  let isStopping = false;
  let made = 0;

  const ready = (): OperatorPart | undefined =>
    random.pick(processes.operators.filter((one) => one.isReady() && !one.isPaused()));

  async function created({ url }: OperatorPart, token: string): Promise<string | null> {
    const target = await copyIn(processes);
    if (target === null) return null;
    const answer = await fetch(new URL(`/api/apps/${app}/console/create`, url), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...target, command: ['sh'], timeoutSeconds: limitSeconds }),
      signal: AbortSignal.timeout(answerWithinMs),
    });
    const text = await answer.text();
    ledger.answers.push(text);
    return answer.ok ? (JSON.parse(text) as ConsoleCreated).session : null;
  }

  async function typed(socket: WebSocket, actor: string): Promise<void> {
    let shown = '';
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) shown += data.toString();
    });
    socket.send(Buffer.from(lineOf(`${ledger.mark}-${actor}`)));
    await until(() => shown.includes(shows) || isOver(socket), '', shownWithinMs).catch(() => {});
    if (shown.includes(shows)) ledger.typedInto.add(actor);
  }

  const ends: Readonly<Record<Way, (socket: WebSocket) => unknown>> = {
    exits: (socket) => socket.send(Buffer.from('exit\n')),
    closes: (socket) => socket.close(),
    leaves: (socket) => socket.terminate(),
    works: async (socket) => {
      socket.send(Buffer.from('sleep 4321\n'));
      await pause(random.between(100, 1_500));
      socket.terminate();
    },
    stays: () => {},
  };

  async function terminal(actor: string): Promise<'done' | 'refused' | 'unknown'> {
    const operator = ready();
    if (!operator) return 'refused';
    const token = await rest.post(operator, '/api/tokens', { name: actor, role: 'admin' });
    if (token.is !== 'done') return token.is;
    const { token: secret } = token.value as NewApiToken;
    const session = await created(operator, secret);
    const by = ready();
    const proxy = by && proxies.get(by.name);
    if (session === null || !proxy) return 'refused';
    const url = `ws://127.0.0.1:${proxy.port}/api/apps/${app}/console/ws?session=${session}`;
    const socket = await attached(url, secret);
    if (socket === null) return 'unknown';
    await typed(socket, actor);
    const way = random.weighted(ways);
    timeline.tell('load', `terminal ${actor} ${way}`);
    if (!isOver(socket)) await ends[way](socket);
    await until(() => isOver(socket), '', limitSeconds * 1_000).catch(() => socket.terminate());
    return 'done';
  }

  const turn = async () => {
    while (!isStopping) {
      const actor = `soak-${made++}`;
      const is = await terminal(actor).catch(() => 'unknown' as const);
      countOutcome(ledger, 'terminal', is);
      timeline.tell('load', `terminal ${actor}: ${is}`);
      await pause(random.between(100, 600));
    }
  };
  const turning = Promise.all(Array.from({ length: lanes }, turn));
  return {
    proxied: () => Object.fromEntries([...proxies].map(([name, proxy]) => [`clients of ${name}`, proxy.counts()])),
    stop: async () => {
      isStopping = true;
      await turning;
      for (const proxy of proxies.values()) await proxy.stop();
      proxies.clear();
    },
  };
}
