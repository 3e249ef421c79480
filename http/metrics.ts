import { createServer } from 'node:http';
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
  for (const { resource, age } of operator.caches.all) metrics.watchAge(resource.kind, () => Effect.runSync(age) / 1000);
  const server = createServer((req, res) => {
    if ((req.url ?? '').split('?')[0] !== '/metrics') {
      res.statusCode = 404;
      return void res.end('there is nothing at this address\n');
    }
    void metrics.text().then(
      (text) => {
        res.setHeader('Content-Type', metrics.contentType);
        res.end(text);
      },
      (error: unknown) => {
        res.statusCode = 500;
        res.end(`${String(error)}\n`);
      },
    );
  });
  return listen(server, host, port);
}
