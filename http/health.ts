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
}

/**
 * `/healthz`: the process responds. `/readyz`: every cache was listed, none is older than its bound, somebody can sign
 * in.
 */
export async function startHealth({ operator, host, port, oldestMs = oldestWatchMs }: HealthGiven): Promise<Listening> {
  let isSynced = false;
  const syncing = Effect.runFork(
    Effect.andThen(
      operator.ready,
      Effect.sync(() => void (isSynced = true)),
    ),
  );

  const fault = (): string | null => {
    if (!isSynced) return 'the caches are being listed';
    const absent = absenceIn(operator.caches);
    if (absent !== null) return absent;
    const late = operator.caches.all.filter(({ age }) => Effect.runSync(age) > oldestMs);
    return late.length === 0 ? null : `nothing was heard of ${late.map(({ resource }) => resource.kind).join(', ')}`;
  };
  const answers: Readonly<Record<string, () => string | null>> = { '/healthz': () => null, '/readyz': fault };

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
