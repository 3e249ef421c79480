import { createServer, type ServerResponse } from 'node:http';
import { Effect } from 'effect';
import type { Operator } from '../runtime/operator.ts';
import type { PromMetrics } from '../runtime/services/promMetrics.ts';
import { listen, type Listening } from './listen.ts';

interface MetricsGiven {
  readonly operator: Operator;
  readonly metrics: PromMetrics;
  readonly host: string;
  readonly port: number;
}

/** `/metrics` in the text format every scraper reads. */
export function startMetrics({ operator, metrics, host, port }: MetricsGiven): Promise<Listening> {
  for (const { resource, age } of operator.caches.all)
    metrics.watchAge(resource.kind, () => Effect.runSync(age) / 1000);
  const server = createServer((req, res) => {
    if ((req.url ?? '').split('?')[0] !== '/metrics') {
      res.statusCode = 404;
      return void res.end('there is nothing at this address\n');
    }
    return void send(res, metrics);
  });
  return listen(server, host, port);
}

async function send(res: ServerResponse, metrics: PromMetrics): Promise<void> {
  try {
    const text = await metrics.text();
    res.setHeader('Content-Type', metrics.contentType);
    res.end(text);
  } catch (error) {
    res.statusCode = 500;
    res.end(`${String(error)}\n`);
  }
}
