import { Result } from 'effect';
import type { Secret } from '../../runtime/resources.ts';
import type { ReadError } from '../../runtime/services/cluster.ts';
import { why } from '../../runtime/why.ts';
import type { Serving } from '../serving.ts';
import { absenceIn } from './absent.ts';
import { type Directory, directoryOf, encode, lockoutsName, type User } from './directory.ts';
import { type Hasher, isHash, isHashable } from './hasher.ts';
import { makeAddressLockouts } from './lockout/address.ts';
import { tryName } from './lockout/name.ts';
import { changeAuthSecret, readAuthSecret } from './secret.ts';

/** Stands in the sample manifest so that nobody can sign in with it (decision 111). */
export const samplePassword = 'change-me';

/** Of no password anybody knows: an unknown name takes as long to refuse as a known one. */
const dummyHash = '$2b$12$PT.BLDyioOgf8JbvACy8YeCdQwkNBUCgXBESIwgoYltw070mamPhi';

/** Sign-ins that may wait for their turn; each takes a third of a second. */
const waitingAtMost = 32;

export interface Attempt {
  readonly username: string;
  readonly password: string;
  /** What failures of the client are counted under; null when they are not. */
  readonly address: string | null;
}

/** `refused` says no more: wrong password, unknown name, locked name and locked address answer alike. */
export type Outcome =
  | { readonly is: 'in'; readonly user: User; readonly directory: Directory }
  | { readonly is: 'refused' }
  | { readonly is: 'sample' }
  | { readonly is: 'busy' }
  /** There are no users at all. */
  | { readonly is: 'nobody' };

export type SignIn = (attempt: Attempt) => Promise<Result.Result<Outcome, ReadError>>;

const outcome = (is: 'refused' | 'sample' | 'busy' | 'nobody') => Result.succeed<Outcome>({ is });

/** Checks passwords, counts failures: those of a name in the Secret, those of an address in memory. */
export function makeSignIn({ now, run, log, operator }: Serving, hasher: Hasher): SignIn {
  const addresses = makeAddressLockouts(now);

  /** What the Secret says after one more failure of a name; null when there is nothing to write. */
  const failed = (username: string) => (secret: Secret) => {
    const { records } = tryName(directoryOf(secret), { username, isRight: false, now: now() });
    return records && { [lockoutsName]: encode(JSON.stringify(Object.fromEntries(records))) };
  };
  const record = async (username: string) => {
    const written = await run(changeAuthSecret(operator.caches, failed(username)));
    if (Result.isFailure(written)) log('error', 'a failed sign-in was not counted', { why: why(written.failure) });
  };

  const check = async ({ username, password, address }: Attempt): ReturnType<SignIn> => {
    const found = await run(readAuthSecret);
    // While the Secret is missing, its namespace, and with it our rights, may be missing too.
    const isAbsent = Result.isFailure(found) ? absenceIn(operator.caches) !== null : found.success === undefined;
    if (isAbsent) return outcome('nobody');
    if (Result.isFailure(found)) return Result.fail(found.failure);
    const directory = directoryOf(found.success);
    const user = directory.users.get(username);
    const isRight = await isPasswordOf(hasher, password, user);
    const { event } = tryName(directory, { username, isRight, now: now() });
    if (user && event === 'signedIn') return Result.succeed<Outcome>({ is: 'in', user, directory });
    addresses.failed(address);
    return outcome('refused');
  };

  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return (attempt) => {
    if (addresses.isRefused(attempt.address)) return Promise.resolve(outcome('refused'));
    if (attempt.password === samplePassword) return Promise.resolve(outcome('sample'));
    if (waiting >= waitingAtMost) return Promise.resolve(outcome('busy'));
    waiting++;
    const mine = last.then(() => check(attempt)).finally(() => void waiting--);
    // One attempt after the other, so that many at once cannot all pass before the first failure is counted. It is
    // answered before it is counted: only a name that exists is, and the time of a write would tell.
    last = mine.then(
      (checked) =>
        Result.isSuccess(checked) && checked.success.is === 'refused' ? record(attempt.username) : undefined,
      () => undefined,
    );
    return mine;
  };
}

/** A password that nobody could have set costs as long as any other. */
async function isPasswordOf(hasher: Hasher, password: string, user: User | undefined): Promise<boolean> {
  // A plain password that was not replaced yet is hashed here: the same work, and nothing plain is ever compared.
  const hash = user === undefined ? dummyHash : isHash(user.password) ? user.password : await plainHash(hasher, user);
  return (await hasher.matches(isHashable(password) ? password : '', hash)) && isHashable(password);
}

const plainHash = (hasher: Hasher, { password }: User): Promise<string> =>
  isHashable(password) ? hasher.hash(password) : Promise.resolve(dummyHash);
