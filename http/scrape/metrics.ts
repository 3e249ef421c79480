import { type IncomingMessage, type ServerResponse, createServer as createPlain } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { Effect } from 'effect';
import type { Caches } from '../../runtime/cache/caches.ts';
import type { Operator } from '../../runtime/operator.ts';
import { connectionLimits } from '../../runtime/services/connections.ts';
import { logLine } from '../../runtime/services/log.ts';
import type { PromMetrics } from '../../runtime/services/promMetrics.ts';
import { causeCounts } from '../lists/causeCounts.ts';
import { challengeFor } from '../auth/challenge.ts';
import { listen, type Listening } from '../listen.ts';
import { type CertificateSource, renew } from './certificate.ts';
import type { Authorizer } from './authorizer.ts';

/** How the metrics are protected: not at all, or by TLS and an authorizer. */
export type Protection =
  | { readonly is: 'none' }
  | {
      readonly is: 'cluster';
      readonly certificate: CertificateSource;
      readonly authorize: Authorizer;
      readonly renewMs?: number;
    };

interface MetricsOptions {
  readonly operator: Operator;
  readonly metrics: PromMetrics;
  readonly host: string;
  readonly port: number;
  readonly protection?: Protection;
}

/** Certificates are renewed long before the old ones expire. */
const renewMs = 30_000;

/** `/metrics` in the Prometheus text format. */
export async function startMetrics(given: MetricsOptions): Promise<Listening> {
  const { operator, metrics, host, port, protection = { is: 'none' } } = given;
  metrics.watchAges(() => agesOf(operator.caches.all));
  metrics.causes(causeCounts(operator.caches));
  if (protection.is === 'none')
    return listen(
      createPlain(connectionLimits, (req, res) => void answer(req, res, metrics, null)),
      host,
      port,
    );
  const { certificate, authorize } = protection;
  const first = await certificate();
  const server = createSecure(
    { ...connectionLimits, ...first, minVersion: 'TLSv1.2' },
    (req, res) => void answer(req, res, metrics, authorize),
  );
  const end = renew(certificate, first, protection.renewMs ?? renewMs, {
    renewed: (pair) => server.setSecureContext({ ...pair, minVersion: 'TLSv1.2' }),
    failed: (error) => logLine('warn', 'failed to renew metrics certificate', { error }),
  });
  const { url, stop } = await listen(server, host, port);
  return {
    url: url.replace(/^http:/, 'https:'),
    stop: async () => {
      end();
      await stop();
    },
  };
}

/** Seconds by kind; of several caches of one kind the oldest. */
const agesOf = (caches: Caches['all']): ReadonlyMap<string, number> =>
  caches.reduce((ages, { resource: { kind }, age }) => {
    const seconds = Effect.runSync(age) / 1_000;
    return ages.set(kind, Math.max(seconds, ages.get(kind) ?? 0));
  }, new Map<string, number>());

async function answer(
  req: IncomingMessage,
  res: ServerResponse,
  metrics: PromMetrics,
  authorize: Authorizer | null,
): Promise<void> {
  try {
    const path = (req.url ?? '').split('?')[0] ?? '';
    const denial = authorize && (await authorize(req.headers.authorization, path));
    if (denial?.status === 401) res.setHeader('WWW-Authenticate', challengeFor(req.headers));
    if (denial) return sendText(res, denial.status, denial.message);
    if (path !== '/metrics') return sendText(res, 404, 'not found');
    const text = await metrics.text();
    res.setHeader('Content-Type', metrics.contentType);
    res.end(text);
  } catch (error) {
    sendText(res, 500, String(error));
  }
}

function sendText(res: ServerResponse, status: number, text: string): void {
  res.statusCode = status;
  res.setHeader('Content-Type', 'text/plain; charset=utf-8');
  res.end(`${text}\n`);
}
