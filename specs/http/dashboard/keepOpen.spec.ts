import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { keepOpen, type Link } from '../../../http/dashboard/stream/keepOpen.ts';
import { openStream } from '../../../http/dashboard/stream/openStream.ts';
import { suite } from '../../support/suite.ts';

const open = suite('reconnecting stream');

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Serves on loopback while the test runs. */
async function serving(handler: Handler, test: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await test(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const stream = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' });

/** Keeps a stream open until a number of messages came, and returns what happened. */
async function keep(path: string, wanted: number) {
  const abort = new AbortController();
  const links: Link['is'][] = [];
  const told: string[] = [];
  let lastId = '';
  await keepOpen({
    path,
    lastId: () => lastId,
    signal: abort.signal,
    network: new EventTarget(),
    onLink: (link) => links.push(link.is),
    onMessage: ({ id, data }) => {
      lastId = id;
      told.push(data);
      if (told.length === wanted) abort.abort();
    },
  });
  return { links, told };
}

open('the stream resumes from the last id after the server closed the connection', async () => {
  const asked: (string | undefined)[] = [];
  const handler: Handler = ({ headers }, response) => {
    asked.push(headers['last-event-id'] as string | undefined);
    stream(response).end(`id: ${asked.length}\ndata: message ${asked.length}\n\n`);
  };
  await serving(handler, async (url) => {
    const { links, told } = await keep(url, 2);
    assert.equal(told, ['message 1', 'message 2']);
    assert.equal(asked, [undefined, '1']);
    assert.equal(links, ['live', 'reconnecting', 'live']);
  });
});

open('the stream ends when the session is refused', async () => {
  const handler: Handler = (_, response) => response.writeHead(401).end('{"error":"sign in"}');
  await serving(handler, async (url) => {
    assert.equal((await keep(url, 1)).links, ['signedOut']);
  });
});

open('the stream is lost when silent for its limit, and kept when comments arrive', async () => {
  const alive = new AbortController();
  const handler: Handler = ({ url }, response) => {
    stream(response).write('data: first\n\n');
    if (url === '/silent') return;
    const timer = setInterval(() => response.write(': alive\n\n'), 20);
    alive.signal.addEventListener('abort', () => {
      clearInterval(timer);
      response.end();
    });
  };
  await serving(handler, async (url) => {
    const end = (path: string) =>
      openStream({
        path: `${url}${path}`,
        lastId: '',
        signal: new AbortController().signal,
        // Far longer than a busy machine stalls this process.
        limitMs: 1_500,
        onOpen: () => {},
        onMessage: () => {},
      });
    const speaks = end('alive');
    assert.is((await end('silent')).is, 'unreachable');
    assert.is((await end('silent')).is, 'unreachable');
    alive.abort();
    assert.is((await speaks).is, 'ok', 'after twice the limit');
  });
});

open.run();
