import { request } from 'node:http';
import { Effect } from 'effect';
import { builds } from '../../runtime/services/cluster/kinds.ts';
import { password, type Product, startProduct } from '../support/product.ts';
import { userBuild, until } from '../support/environment.ts';

export interface ViewersFigures {
  readonly medianMs: number;
  /** Budget: under a second. */
  readonly p99Ms: number;
  /** Status writes, each heard by every viewer. */
  readonly writes: number;
}

const machines = 1_000;
const viewers = 50;
const writes = 200;
/** Between two writes: viewers of a busy platform, not of a storm. */
const pauseMs = 25;

/** One browser's stream of events, as text. */
export interface Viewer {
  readonly close: () => void;
}

export function view(url: string, cookie: string, hear: (text: string) => void): Promise<Viewer> {
  return new Promise((open, fail) => {
    const asked = request(new URL('/api/v1/events', url), { headers: { cookie }, agent: false }, (response) => {
      if (response.statusCode !== 200) return fail(new Error(`the stream answered ${response.statusCode}`));
      response.setEncoding('utf8').on('data', hear);
      open({ close: () => asked.destroy() });
    });
    asked.on('error', fail);
    asked.end();
  });
}

export async function cookieOf({ endpoints }: Product): Promise<string> {
  const answer = await fetch(new URL('/api/login', endpoints.dashboard ?? ''), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  });
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** A build at rest, with one move in its history. */
export const moved = (name: string, seq: number, text: string) => ({
  phase: 'Failed',
  logRef: `pod-log://${name}-builder/builder`,
  history: [
    {
      seq,
      machine: 'build',
      from: 'Running',
      event: 'jobFailed',
      to: 'Failed',
      rule: 'BLD-165',
      by: 'operator',
      at: new Date().toISOString(),
      text,
    },
  ],
});

/** From the moment a status write is sent until each of 50 viewers has its event, with 1,000 machines in the product. */
export async function viewersFigures(): Promise<ViewersFigures> {
  const product = await startProduct();
  const open: Viewer[] = [];
  try {
    await populate(product);
    const cookie = await cookieOf(product);
    const times: number[] = [];
    const sentAt = new Map<string, number>();
    const hear = () => {
      let rest = '';
      return (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const [mark] = /"mark \d+ "/.exec(line) && line.startsWith('data: ') ? (/mark \d+ /.exec(line) ?? []) : [];
          const at = mark === undefined ? undefined : sentAt.get(mark);
          if (at !== undefined && line.includes('"event":"jobFailed"')) times.push(performance.now() - at);
        }
      };
    };
    for (let viewer = 0; viewer < viewers; viewer++)
      open.push(await view(product.endpoints.dashboard ?? '', cookie, hear()));
    for (let number = 0; number < writes; number++) {
      const mark = `mark ${number} `;
      const name = `seen-${(number * 7) % machines}`;
      sentAt.set(mark, performance.now());
      await Effect.runPromise(product.cluster.patchStatus(builds, { name }, moved(name, 2, mark)));
      await new Promise((go) => setTimeout(go, pauseMs));
    }
    await until(() => times.length >= writes * viewers, `${times.length} of ${writes * viewers} were heard`, 30_000);
    const sorted = times.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
    return { medianMs: at(0.5), p99Ms: at(0.99), writes };
  } finally {
    for (const viewer of open) viewer.close();
    await product.end('SIGTERM');
    product.clean();
  }
}

const populate = ({ cluster }: Product) =>
  Effect.runPromise(
    Effect.forEach(
      Array.from({ length: machines }, (_, number) => `seen-${number}`),
      (name) =>
        cluster
          .create(builds, userBuild(name, { app: name, registry: '' }))
          .pipe(Effect.andThen(cluster.patchStatus(builds, { name }, moved(name, 1, 'before')))),
      { concurrency: 16, discard: true },
    ),
  );
