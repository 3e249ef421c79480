import { createServer } from 'node:http';
import { Effect } from 'effect';
import { defaultSilenceMs } from '../runtime/cache/cache.ts';
import type { Operator } from '../runtime/operator.ts';
import { connectionLimits } from '../runtime/services/connections.ts';
import { absenceIn } from './auth/absent.ts';
import { listen, type Listening } from './listen.ts';

/** A watch that was silent for this long counts as stale: by then it should have been declared dead and resumed. */
const oldestWatchMs = defaultSilenceMs * 1.25;

interface HealthGiven {
  readonly operator: Operator;
  readonly host: string;
  readonly port: number;
  readonly oldestMs?: number;
  /** Why the process has to be started anew; null where it has not. */
  readonly fault?: () => string | null;
}

/**
 * `/healthz`: the process responds and has its data directory. `/readyz`: that, every cache was listed, none is older
 * than its bound, somebody can sign in.
 */
export async function startHealth(given: HealthGiven): Promise<Listening> {
  const { operator, host, port, oldestMs = oldestWatchMs, fault = () => null } = given;
  let isSynced = false;
  const syncing = Effect.runFork(
    Effect.andThen(
      operator.ready,
      Effect.sync(() => void (isSynced = true)),
    ),
  );

  const unreadiness = (): string | null => {
    const lost = fault();
    if (lost !== null) return lost;
    if (!isSynced) return 'the caches are being listed';
    const absent = absenceIn(operator.caches);
    if (absent !== null) return absent;
    const late = operator.caches.all.filter(({ age }) => Effect.runSync(age) > oldestMs);
    return late.length === 0 ? null : `nothing was heard of ${late.map(({ resource }) => resource.kind).join(', ')}`;
  };
  const answers: Readonly<Record<string, () => string | null>> = { '/healthz': fault, '/readyz': unreadiness };

  const server = createServer(connectionLimits, (req, res) => {
    const ask = answers[(req.url ?? '').split('?')[0] ?? ''];
    const why = ask ? ask() : null;
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    res.statusCode = ask ? (why === null ? 200 : 503) : 404;
    res.end(
      JSON.stringify(
        ask ? { ok: why === null, ...(why === null ? {} : { why }) } : { error: 'there is nothing at this address' },
      ),
    );
  });
  const listening = await listen(server, host, port);
  return {
    url: listening.url,
    stop: async () => {
      syncing.interruptUnsafe();
      await listening.stop();
    },
  };
}
