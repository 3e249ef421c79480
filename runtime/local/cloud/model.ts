import { bucketsIn } from './buckets.ts';
import { objectListsIn } from './objectLists.ts';
import { objectsIn } from './objects.ts';
import { refused } from './refusal.ts';
import { apply, type CloudState, emptyState, type Key } from './state.ts';
import { uploadsIn } from './uploads.ts';
import { usersIn } from './users.ts';
import type { CloudOptions, Within } from './within.ts';

/** A cloud in memory: buckets with versions and uploads, users with policies and keys. Every operation names its caller. */
export function cloudModel(options: CloudOptions, state: CloudState = emptyState()) {
  const within: Within = {
    state,
    options,
    change: (change) => {
      options.changing?.(change);
      apply(state, change);
      options.changed?.(change);
    },
  };
  for (const { account, accessKeyId, secret } of options.accounts)
    state.keys.set(accessKeyId, { id: accessKeyId, secret, account, user: null, createdAt: 0 });

  /** The key of a caller, once it is active. */
  const keyOf = (id: string): Key => {
    const key = state.keys.get(id);
    if (!key) throw refused.unknownKey();
    // The age of a key is negative after the clock was set back.
    const age = options.now() - key.createdAt;
    if (key.user !== null && age >= 0 && age < (options.newKeysUnknownMs ?? 0)) throw refused.unknownKey();
    return key;
  };

  return {
    state,
    hasVersions: options.withoutVersions !== true,
    keyOf,
    ...bucketsIn(within),
    ...objectsIn(within),
    ...objectListsIn(within),
    ...uploadsIn(within),
    ...usersIn(within),
  };
}

export type CloudModel = ReturnType<typeof cloudModel>;
