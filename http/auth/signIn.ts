import { Result } from 'effect';
import type { Secret } from '../../crds/builtIn.ts';
import type { ReadError } from '../../runtime/services/cluster/cluster.ts';
import { errorMessage } from '../../rules/errorMessage.ts';
import type { ServerContext } from '../context.ts';
import { absenceIn } from './absent.ts';
import type { Client } from './address.ts';
import type { Origin } from '../../rules/share.ts';
import { type Directory, directoryOf, encode, lockoutsName, type User } from './directory.ts';
import type { Accounts } from './accounts.ts';
import { type Hasher, isHash, isHashable } from './hasher.ts';
import type { AddressLockouts } from './lockout/address.ts';
import { tryName } from './lockout/name.ts';
import { samplePassword } from './samplePassword.ts';
import { changeAuthSecret, readAuthSecret } from './secret.ts';
import { makeTurns } from './turns.ts';

/** Sign-ins that may wait in the queue; each takes a third of a second. */
const maxWaiting = 32;

/** How long a sign-in waits for the leader to process an entry that was just written. */
export const takenUpWithinMs = 5_000;
/** A change in the caches wakes waiting sign-ins; the Secret is read again after this time even if the caches lag. */
const readAgainMs = 250;

interface Attempt {
  readonly username: string;
  readonly password: string;
  readonly client: Client;
}

/** `refused` has no details: wrong password, unknown name, locked name and locked address get the same response. */
type Outcome =
  | { readonly is: 'in'; readonly role: User['role']; readonly epoch: number; readonly directory: Directory }
  | { readonly is: 'refused' }
  | { readonly is: 'sample' }
  | { readonly is: 'busy' }
  /** The password is right, but the leader has not hashed it or given the entry its epoch yet. */
  | { readonly is: 'notTakenUp' }
  /** There are no users at all. */
  | { readonly is: 'nobody' };

export type SignIn = (attempt: Attempt) => Promise<Result.Result<Outcome, ReadError>>;

const outcome = (is: Exclude<Outcome['is'], 'in'>) => Result.succeed<Outcome>({ is });

interface Parts extends Omit<Accounts, 'controllers'> {
  readonly addresses: AddressLockouts;
}

/** A sign-in that waits for its turn, with the callback for its result. */
interface Waiting extends Origin {
  readonly attempt: Attempt;
  /**
   * Whether there is still time to wait for the leader; if so, an unprocessed entry gives null, and nothing is compared
   * or counted.
   */
  readonly mayWait: boolean;
  readonly answer: (checked: Promise<Checked>) => void;
}

/** Null for a user whose entry the leader has not processed yet. */
type Checked = Result.Result<Outcome, ReadError> | null;

/** Checks passwords, counts failures: those of a name in the Secret, those of an address in memory. */
export function makeSignIn({ now, run, log, operator }: ServerContext, { hasher, epochs, addresses }: Parts): SignIn {
  /** What the Secret says after one more failure of a name; null when there is nothing to write. */
  const failed = (username: string) => (secret: Secret) => {
    const { records } = tryName(directoryOf(secret), { username, isRight: false, now: now() });
    return records && { [lockoutsName]: encode(JSON.stringify(Object.fromEntries(records))) };
  };
  const record = async (username: string) => {
    const written = await run(changeAuthSecret(operator.caches, failed(username)));
    if (Result.isFailure(written))
      log('error', 'failed to count rejected sign-in', { error: errorMessage(written.failure) });
  };

  /** Whether an entry has the epoch of its sessions, which is also kept in the Secret of the epochs. */
  const isTakenUp = (username: string, { epoch }: User) =>
    epoch !== null && epoch === epochs.of(username) && epochs.isKeptOf(username);

  const check = async ({ username, password, client }: Attempt, mayWait: boolean): Promise<Checked> => {
    const found = await run(readAuthSecret);
    // While the Secret is missing, its namespace, and with it our access rights, may be missing too.
    const isAbsent = Result.isFailure(found) ? absenceIn(operator.caches) !== null : found.success === undefined;
    if (isAbsent) return outcome('nobody');
    if (Result.isFailure(found)) return Result.fail(found.failure);
    const directory = directoryOf(found.success);
    const user = directory.users.get(username);
    if (mayWait && user !== undefined && !isTakenUp(username, user)) return null;
    const isRight = await isPasswordOf(hasher, password, user);
    const { event } = tryName(directory, { username, isRight, now: now() });
    if (user && event === 'signedIn') {
      const { role, epoch } = user;
      // The entry may have changed during the comparison.
      if (epoch === null || epoch !== epochs.of(username)) return mayWait ? null : outcome('notTakenUp');
      return Result.succeed<Outcome>({ is: 'in', role, epoch, directory });
    }
    addresses.failed(client.limited);
    return outcome('refused');
  };

  const turns = makeTurns<Waiting>(maxWaiting);
  let isWorking = false;
  // One attempt at a time, so that parallel attempts cannot all pass before the first failure is counted. The response
  // precedes the count: only failures of existing names are written, and the time of the write would reveal them.
  const work = async () => {
    if (isWorking) return;
    isWorking = true;
    for (let one = turns.next(); one !== undefined; one = turns.next()) {
      const checked = check(one.attempt, one.mayWait);
      one.answer(checked);
      const result = await checked.catch(() => null);
      if (result !== null && Result.isSuccess(result) && result.success.is === 'refused')
        await record(one.attempt.username).catch(() => undefined);
    }
    isWorking = false;
  };
  const inTurn = (attempt: Attempt, mayWait: boolean): Promise<Checked> =>
    new Promise((answer) => {
      const gone = turns.add({ ...attempt.client, attempt, mayWait, answer });
      gone?.answer(Promise.resolve(outcome('busy')));
      void work();
    });

  /** Resolves on the next change of either Secret, or after a while. */
  const somethingNew = () =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        forget();
        resolve();
      };
      const timer = setTimeout(end, readAgainMs);
      const forget = epochs.onChange(end);
    });

  return async (attempt) => {
    const { client, password } = attempt;
    if (addresses.isRefused(client.limited)) return outcome('refused');
    if (password === samplePassword) return outcome('sample');
    const until = performance.now() + takenUpWithinMs;
    for (;;) {
      const mayWait = performance.now() < until;
      const checked = await inTurn(attempt, mayWait);
      if (checked !== null) return checked;
      // Outside the queue, so that no other sign-in waits for the leader as well.
      await somethingNew();
    }
  };
}

/** Checking a password that nobody could have set takes as long as any other. */
async function isPasswordOf(hasher: Hasher, password: string, user: User | undefined): Promise<boolean> {
  // A plain password that was not replaced yet is hashed here: the same work, and no comparison with plain text.
  const hash =
    user === undefined ? hasher.unmatched : isHash(user.password) ? user.password : await plainHash(hasher, user);
  return (await hasher.matches(isHashable(password) ? password : '', hash)) && isHashable(password);
}

const plainHash = (hasher: Hasher, { password }: User): Promise<string> =>
  isHashable(password) ? hasher.hash(password) : Promise.resolve(hasher.unmatched);
