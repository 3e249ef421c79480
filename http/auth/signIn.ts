import { Effect, Result } from 'effect';
import { type Secret, secrets } from '../../runtime/resources.ts';
import { Cluster, type ReadError, type WriteError } from '../../runtime/services/cluster.ts';
import type { Serving } from '../serving.ts';
import { authSecret, type Directory, directoryOf, encode, type Lockout, lockoutsName, type User } from './directory.ts';
import { type Hasher, isHash, isHashable } from './hasher.ts';
import { failuresOfAddress, failuresOfName, isLocked, isSpent, keptRecords, withFailure } from './lockout.ts';
import { writeSecret } from './plain.ts';

/** Stands in the sample manifest so that nobody can sign in with it (decision 111). */
export const samplePassword = 'change-me';

/** Of no password anybody knows: an unknown name takes as long to refuse as a known one. */
const dummyHash = '$2b$12$PT.BLDyioOgf8JbvACy8YeCdQwkNBUCgXBESIwgoYltw070mamPhi';

const addressesKept = 10_000;
/** Sign-ins that may wait for their turn; each takes a third of a second. */
const waitingAtMost = 32;
const tries = 5;

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
  | { readonly is: 'busy' };

export type SignIn = (attempt: Attempt) => Promise<Result.Result<Outcome, ReadError | WriteError>>;

const refused = Result.succeed<Outcome>({ is: 'refused' });

/** Checks passwords, counts failures: those of a name in the Secret, those of an address in memory. */
export function makeSignIn(serving: Serving, hasher: Hasher): SignIn {
  const { now, run } = serving;
  const addresses = new Map<string, Lockout>();

  const readSecret = () =>
    run(
      Effect.flatMap(Cluster, (cluster) => cluster.get(secrets, { name: authSecret })).pipe(
        Effect.catchTag('NotFound', () => Effect.succeed<Secret | undefined>(undefined)),
      ),
    );

  const countAddress = (address: string | null) => {
    if (address === null) return;
    const counted = withFailure(addresses.get(address), now(), failuresOfAddress);
    addresses.delete(address);
    addresses.set(address, counted);
    if (addresses.size <= addressesKept) return;
    for (const [key, record] of addresses) if (isSpent(record, now())) addresses.delete(key);
    for (const key of addresses.keys()) if (addresses.size > addressesKept) addresses.delete(key);
  };

  /** Somebody else's write in between makes it count over what they wrote. */
  const countName = async (
    username: string,
    secret: Secret,
  ): Promise<Result.Result<unknown, ReadError | WriteError>> => {
    let read: Secret | undefined = secret;
    let written: Result.Result<unknown, ReadError | WriteError> = Result.succeed(null);
    for (let tried = 0; tried < tries && read; tried++) {
      const { users, lockouts } = directoryOf(read);
      if (!users.has(username) || isLocked(lockouts.get(username), now())) return Result.succeed(null);
      const counted = new Map(lockouts).set(username, withFailure(lockouts.get(username), now(), failuresOfName));
      const records = Object.fromEntries(keptRecords(counted, now()));
      written = await writeSecret(serving, read, { [lockoutsName]: encode(JSON.stringify(records)) });
      if (Result.isSuccess(written) || written.failure._tag !== 'Conflict') return written;
      const again = await readSecret();
      if (Result.isFailure(again)) return again;
      read = again.success;
    }
    return written;
  };

  const check = async ({ username, password, address }: Attempt): ReturnType<SignIn> => {
    const found = await readSecret();
    if (Result.isFailure(found)) return Result.fail(found.failure);
    const secret = found.success;
    const directory = directoryOf(secret);
    const user = directory.users.get(username);
    const right = (await isRight(hasher, password, user)) && user !== undefined;
    if (right && !isLocked(directory.lockouts.get(username), now()))
      return Result.succeed<Outcome>({ is: 'in', user, directory });
    countAddress(address);
    if (secret === undefined || user === undefined) return refused;
    const counted = await countName(username, secret);
    return Result.isFailure(counted) ? Result.fail(counted.failure) : refused;
  };

  // One attempt after the other, so that many at once cannot all pass before the first failure is counted.
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return (attempt) => {
    if (attempt.address !== null && isLocked(addresses.get(attempt.address), now())) return Promise.resolve(refused);
    if (attempt.password === samplePassword) return Promise.resolve(Result.succeed<Outcome>({ is: 'sample' }));
    if (waiting >= waitingAtMost) return Promise.resolve(Result.succeed<Outcome>({ is: 'busy' }));
    waiting++;
    const mine = last.then(() => check(attempt)).finally(() => void waiting--);
    last = mine.catch(() => undefined);
    return mine;
  };
}

/** A password that nobody could have set costs as long as any other. */
async function isRight(hasher: Hasher, password: string, user: User | undefined): Promise<boolean> {
  // A plain password that was not replaced yet is hashed here: the same work, and nothing plain is ever compared.
  const hash = user === undefined ? dummyHash : isHash(user.password) ? user.password : await plainHash(hasher, user);
  return (await hasher.matches(isHashable(password) ? password : '', hash)) && isHashable(password);
}

const plainHash = (hasher: Hasher, { password }: User): Promise<string> =>
  isHashable(password) ? hasher.hash(password) : Promise.resolve(dummyHash);
