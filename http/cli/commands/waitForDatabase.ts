import type { Read as ResourceAnswer } from '../../api.ts';
import { pathOf } from '../../apiClient/client.ts';
import { ApiFailure } from '../../apiClient/failure.ts';
import { answerOf, object, optional, read, text } from '../../apiClient/shape.ts';
import type { Run } from '../command.ts';
import { CommandFailure, exits } from '../exits.ts';
import { plain } from '../text/plain.ts';

const pollMs = 3_000;
const withinMs = 600_000;
const readWithinMs = 30_000;
const databaseShape = answerOf<ResourceAnswer>()(
  object({ resource: object({ state: text, message: optional(text) }) }),
);

interface DatabaseState {
  readonly state: string;
  readonly message?: string;
}

/** What a database is doing; null where no answer came. */
async function stateOf(
  run: Run,
  name: string,
  sending: { signal: AbortSignal; timeoutMs: number },
): Promise<DatabaseState | null> {
  try {
    return read(databaseShape, await run.client().ask('GET', pathOf('databases', name), sending)).resource;
  } catch (error) {
    if (error instanceof ApiFailure && (error.status === null || error.status >= 500)) return null;
    throw error;
  }
}

/** Waits until a database is ready. */
export async function waitForDatabase(run: Run, name: string): Promise<void> {
  const { clock, catchInterrupt } = run.io;
  const { signal, release } = catchInterrupt();
  const until = clock.monotonic() + withinMs;
  let shown = '';
  try {
    for (;;) {
      const timeoutMs = Math.max(1, Math.min(readWithinMs, until - clock.monotonic()));
      const found = await stateOf(run, name, { signal, timeoutMs });
      if (found?.state === 'ready') return await run.note(`${plain(name)} is ready\n`);
      if (found?.state === 'failed')
        throw new CommandFailure(exits.deployFailed, `${name} failed: ${found.message || 'no reason was given'}`);
      const text = found === null ? 'no answer yet' : found.message || found.state;
      if (text !== shown) await run.note(`${plain(text)}\n`);
      shown = text;
      if (clock.monotonic() >= until) throw new CommandFailure(exits.timedOut, `${name} was not ready within 10m`);
      await clock.sleep(pollMs, signal);
      if (signal.aborted) throw new CommandFailure(exits.interrupted, `no longer waiting for ${name}: it goes on`);
    }
  } finally {
    release();
  }
}
