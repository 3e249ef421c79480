import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OperatorPart } from './processes.ts';
import { countUnanswered, type Ledger } from './ledger.ts';
import { lastingPort } from './ports.ts';
import type { Timeline } from './timeline.ts';

/** What stands before the operators, as an ingress does: an event of the Git host goes to the first that takes it. */
export interface Relay {
  readonly url: string;
  readonly leadTo: (operators: readonly OperatorPart[]) => void;
  /** Commits whose push an operator has acknowledged. */
  readonly told: ReadonlySet<string>;
  readonly stop: () => Promise<void>;
}

const answerWithinMs = 4_000;

interface Pushed {
  readonly after?: string;
  readonly repository?: { readonly name?: string };
}

export async function startRelay(ledger: Ledger, timeline: Timeline): Promise<Relay> {
  const told = new Set<string>();
  let operators: readonly OperatorPart[] = [];

  const offer = async ({ url, name }: OperatorPart, request: IncomingMessage, body: Buffer) => {
    const { after: commit = '', repository } = JSON.parse(body.toString('utf8')) as Pushed;
    const sentAt = Date.now();
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([key]) => key.startsWith('x-') || key === 'content-type'),
    ) as Record<string, string>;
    const answer = await fetch(new URL(request.url ?? '/', url), {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
      signal: AbortSignal.timeout(answerWithinMs),
    }).catch(() => null);
    const text = (await answer?.text().catch(() => '')) ?? '';
    if (answer?.status !== 200) {
      countUnanswered(ledger, repository?.name ?? '', 'pushed');
      return null;
    }
    const { rebuilt = [] } = JSON.parse(text) as { readonly rebuilt?: readonly string[] };
    for (const build of rebuilt) ledger.asked.push({ event: 'pushed', build, sentAt, answeredAt: Date.now() });
    told.add(commit);
    timeline.tell('push', `${name} was told of ${commit.slice(0, 12)} and builds ${rebuilt.join(', ') || 'nothing'}`);
    return text;
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      void (async () => {
        for (const operator of operators.filter(({ isReady, isPaused }) => isReady() && !isPaused())) {
          const text = await offer(operator, request, body);
          if (text !== null) return void response.writeHead(200).end(text);
        }
        response.writeHead(503).end('no operator takes it');
      })();
    });
  });
  const port = await lastingPort();
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/git`,
    leadTo: (next) => {
      operators = next;
    },
    told,
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
