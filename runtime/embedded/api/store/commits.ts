import type { RootDatabase } from 'lmdb';

/** Puts what is asked for in `ask` on the disk in one transaction; rejects with why when nothing of it is there. */
export type Commit = (ask: () => void) => Promise<void>;

/**
 * Commits in a thread of lmdb's, one at a time. After one that failed they are made on the event loop until one holds:
 * what lmdb says of a file that it gave up is heard only there, its thread would never answer.
 */
export function openCommits(root: Pick<RootDatabase, 'batch' | 'transactionSync'>): Commit {
  let isSound = true;
  return async (ask) => {
    try {
      if (isSound) await root.batch(ask);
      else root.transactionSync(ask);
      isSound = true;
    } catch (failure) {
      isSound = false;
      throw await reasonOf(failure);
    }
  };
}

/** lmdb's thread reports the reason later, in a promise that the error carries. */
async function reasonOf(failure: unknown): Promise<unknown> {
  if (!(failure instanceof Error && 'commitError' in failure)) return failure;
  return Promise.resolve(failure.commitError).then(
    () => failure,
    (reason: unknown) => reason,
  );
}
