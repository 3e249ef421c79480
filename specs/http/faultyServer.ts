import { closeSync, createReadStream, openSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Context, Effect } from 'effect';
import { listen } from '../../http/listen.ts';
import { installLastResort } from '../../http/program/lastResort.ts';
import { MetricsStore } from '../../runtime/services/metricsStore.ts';
import { serve } from './served.ts';

// Serves requests that end in errors which nobody catches. It says where, and how often errors were counted.
const say = (message: object) => process.send?.(message);
const lastResort = installLastResort({
  giveUp: () => {
    say({ is: 'givenUp' });
    process.disconnect();
    process.exit(1);
  },
});

const fail = (what: string): never => {
  throw new Error(`failed: ${what}`);
};

const faults: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  '/well': (_, response) => void response.end('well'),
  '/counts': (_, response) => void response.end(JSON.stringify(lastResort.counted())),
  '/thrown': () => fail('thrown'),
  '/tick': () => process.nextTick(() => fail('tick')),
  '/timer': () => void setTimeout(() => fail('timer')),
  '/rejected': () => void Promise.resolve().then(() => fail('rejected')),
  '/body': (request) => void request.resume().on('end', () => fail('body')),
  '/listener': (_, response) => void createReadStream('/nowhere/at/all').pipe(response),
  '/cached': (_, response) => {
    response.setHeader('ETag', '"of the page"').setHeader('Content-Length', 12).setHeader('X-Frame-Options', 'DENY');
    setTimeout(() => fail('cached'));
  },
  '/begun': (_, response) => {
    response.write('begun');
    setTimeout(() => fail('begun'), 20);
  },
  '/ended': (_, response) => {
    response.end('ended');
    setTimeout(() => fail('ended'));
  },
};

const server = createServer((request, response) => faults[request.url?.split('?')[0] ?? '']?.(request, response));
server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
  // What comes right after the request is read with it.
  if (head.length > 0) socket.unshift(head);
  if (request.url === '/accepted') socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: odd\r\n\r\n');
  socket.on('data', () => fail('upgraded'));
});
const odd = await listen(server, '127.0.0.1', 0);

const failing = { range: () => Effect.callback<never>(() => void setTimeout(() => fail('store'))) };
const rest = await serve({}, {}, (services) => Context.add(services, MetricsStore, failing));
await rest.addApp('shop');

const held: number[] = [];
/** Takes every descriptor that is left. */
function exhaust() {
  try {
    for (;;) held.push(openSync('/dev/null', 'r'));
  } catch {
    say({ is: 'exhausted' });
  }
}

process.on('message', (asked: 'fail' | 'exhaust' | 'release') => {
  if (asked === 'fail') setTimeout(() => fail('outside'));
  else if (asked === 'exhaust') exhaust();
  else held.splice(0).forEach((descriptor) => closeSync(descriptor));
});
say({
  is: 'listening',
  odd: odd.url,
  rest: rest.url,
  headers: { cookie: rest.cookieOf({ expiresAt: Date.now() + 3_600_000 }), origin: rest.url },
});
