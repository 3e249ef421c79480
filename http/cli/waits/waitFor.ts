import type { Run } from '../command.ts';
import { type Exit, exits, firstExit } from '../exits.ts';
import { hintsFor } from '../refusal.ts';
import type { Status } from '../shapes.ts';
import { causeText } from '../text/cause.ts';
import { plain } from '../text/plain.ts';
import type { Awaited } from './deployWait.ts';

const mayHaveCause: readonly Exit[] = [exits.deployFailed, exits.timedOut];

/** Waits for services one after another; resolves with the code of the first that did not end well (decision 122). */
export async function waitForAll(
  run: Run,
  awaited: readonly Awaited[],
): Promise<{ readonly exit: Exit; readonly statuses: readonly Status[] }> {
  // The lifecycles and what performs them are loaded on use: most commands wait for nothing.
  const { waitForDeploy } = await import('./deployWait.ts');
  const interrupt = run.io.catchInterrupt();
  let exit: Exit = exits.success;
  const statuses: Status[] = [];
  try {
    for (const one of awaited) {
      const ended = await waitForDeploy(run, one, interrupt);
      if (ended.status !== null) statuses.push(ended.status);
      if (ended.exit === exits.success) continue;
      await run.note(`Error: ${plain(ended.why)}\n`);
      const cause = mayHaveCause.includes(ended.exit) ? causeText(ended.status?.cause) : '';
      if (cause !== '') await run.note(`cause: ${cause}\n`);
      for (const hint of hintsFor(run, { status: ended.refusedWith, message: ended.why })) await run.note(`${hint}\n`);
      exit = firstExit(exit, ended.exit);
    }
  } finally {
    interrupt.release();
  }
  return { exit, statuses };
}

/** Waits for one named service with the default timeout. */
export const waitForOne = (run: Run, app: string) =>
  waitForAll(run, [{ app, named: true, listed: 'pending', timeoutMs: null }]);
