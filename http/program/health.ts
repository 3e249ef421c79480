import { createServer } from 'node:http';
import { Effect } from 'effect';
import type { Operator } from '../../runtime/operator.ts';
import { connectionLimits } from '../../runtime/services/connections.ts';
import { listen, type Listening } from '../listen.ts';
import { type Readiness, readinessOf } from './readiness.ts';

interface HealthOptions {
  readonly operator: Operator;
  readonly host: string;
  readonly port: number;
  readonly lateAfterMs?: number;
  /** Why the process has to be started anew; null where it has not. */
  readonly fault?: () => string | null;
  /** Whether the other servers of this process listen. */
  readonly serves?: () => boolean;
  /** Whether it was asked to end, and only serves on for those who still come. */
  readonly stops?: () => boolean;
}

/** `/healthz`: the process responds and has its data directory. `/readyz`: that, and its readiness. */
export async function startHealth(given: HealthOptions): Promise<Listening> {
  const { operator, host, port, fault = () => null, serves = () => true, stops = () => false, ...limits } = given;
  let isListed = false;
  const listing = Effect.runFork(
    Effect.andThen(
      operator.ready,
      Effect.sync(() => void (isListed = true)),
    ),
  );

  const life = (): Readiness => {
    const why = fault();
    return why === null ? { ok: true } : { ok: false, why };
  };
  const readiness = (): Readiness => {
    const alive = life();
    if (!alive.ok) return alive;
    if (stops()) return { ok: false, why: 'it stops' };
    return Effect.runSync(readinessOf({ caches: operator.caches, isListed: isListed && serves(), ...limits }));
  };
  const answers: Readonly<Record<string, () => Readiness>> = { '/healthz': life, '/readyz': readiness };

  const server = createServer(connectionLimits, (req, res) => {
    const answer = answers[(req.url ?? '').split('?')[0] ?? '']?.();
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    res.statusCode = answer === undefined ? 404 : answer.ok ? 200 : 503;
    res.end(JSON.stringify(answer ?? { error: 'not found' }));
  });
  const listening = await listen(server, host, port);
  return {
    url: listening.url,
    stop: async () => {
      listing.interruptUnsafe();
      await listening.stop();
    },
  };
}
