import type { Controller } from '../../runtime/contract/controller.ts';
import type { Log } from '../log.ts';
import { type EpochKeeper, makeEpochKeeper } from './epochs.ts';
import { type Hasher, makeHasher } from './hasher.ts';
import { projectTokensController } from './tokens/projects.ts';
import { usersController } from './users.ts';

/** In-memory state about users beside their Secret; created before the operator, whose passes use it too. */
export interface Accounts {
  readonly hasher: Hasher;
  readonly epochs: EpochKeeper;
  /** They maintain users and tokens on the leader, and let a standby follow the epochs. */
  readonly controllers: readonly Controller[];
}

interface AccountsOptions {
  /** ms since the epoch. */
  readonly now?: () => number;
  readonly log: Log;
  readonly hasher?: Hasher;
}

export function makeAccounts({ now = Date.now, log, hasher = makeHasher() }: AccountsOptions): Accounts {
  const epochs = makeEpochKeeper(now);
  return {
    hasher,
    epochs,
    controllers: [usersController({ hasher, epochs, log }), projectTokensController({ now, log })],
  };
}
