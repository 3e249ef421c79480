import { Result } from 'effect';
import type { Secret } from '../../crds/builtIn.ts';
import type { ReadError } from '../../runtime/services/cluster.ts';
import { why } from '../../runtime/services/why.ts';
import type { Serving } from '../serving.ts';
import { absenceIn } from './absent.ts';
import type { Client } from './address.ts';
import type { Origin } from '../../rules/share.ts';
import { type Directory, directoryOf, encode, lockoutsName, type User } from './directory.ts';
import type { EpochKeeper } from './epochs.ts';
import { type Hasher, isHash, isHashable } from './hasher.ts';
import type { AddressLockouts } from './lockout/address.ts';
import { tryName } from './lockout/name.ts';
import { samplePassword } from './samplePassword.ts';
import { changeAuthSecret, readAuthSecret } from './secret.ts';
import type { Tending } from './tending.ts';
import { makeTurns } from './turns.ts';

/** Of no password anybody knows: an unknown name takes as long to refuse as a known one. */
const dummyHash = '$2b$12$PT.BLDyioOgf8JbvACy8YeCdQwkNBUCgXBESIwgoYltw070mamPhi';

/** Sign-ins that may wait for their turn; each takes a third of a second. */
const waitingAtMost = 32;

/** An entry that somebody wrote a moment ago is waited for: so often, with so long between. */
const settledTries = 40;
const settledPauseMs = 50;

export interface Attempt {
  readonly username: string;
  readonly password: string;
  readonly client: Client;
}

/** `refused` says no more: wrong password, unknown name, locked name and locked address answer alike. */
export type Outcome =
  | { readonly is: 'in'; readonly role: User['role']; readonly epoch: number; readonly directory: Directory }
  | { readonly is: 'refused' }
  | { readonly is: 'sample' }
  | { readonly is: 'busy' }
  /** There are no users at all. */
  | { readonly is: 'nobody' };

export type SignIn = (attempt: Attempt) => Promise<Result.Result<Outcome, ReadError>>;

const outcome = (is: 'refused' | 'sample' | 'busy' | 'nobody') => Result.succeed<Outcome>({ is });

interface Parts {
  readonly hasher: Hasher;
  readonly epochs: EpochKeeper;
  readonly tending: Tending;
  readonly addresses: AddressLockouts;
}

/** A sign-in that waits for its turn, and whoever waits for what becomes of it. */
interface Waiting extends Origin {
  readonly attempt: Attempt;
  readonly answer: (checked: ReturnType<SignIn>) => void;
}

/** Checks passwords, counts failures: those of a name in the Secret, those of an address in memory. */
export function makeSignIn({ now, run, log, operator }: Serving, parts: Parts): SignIn {
  const { hasher, epochs, tending, addresses } = parts;

  /** What the Secret says after one more failure of a name; null when there is nothing to write. */
  const failed = (username: string) => (secret: Secret) => {
    const { records } = tryName(directoryOf(secret), { username, isRight: false, now: now() });
    return records && { [lockoutsName]: encode(JSON.stringify(Object.fromEntries(records))) };
  };
  const record = async (username: string) => {
    const written = await run(changeAuthSecret(operator.caches, failed(username)));
    if (Result.isFailure(written)) log('error', 'a failed sign-in was not counted', { why: why(written.failure) });
  };

  /** Until the entry of a user has the epoch that its sessions get, and that is kept beside it. */
  const settled = async (found: Result.Result<Secret | undefined, ReadError>, username: string) => {
    for (let tries = 0; tries < settledTries && Result.isSuccess(found); tries++) {
      const user = directoryOf(found.success).users.get(username);
      if (user === undefined || (user.epoch !== null && user.epoch === epochs.of(username) && epochs.isKept())) break;
      await tending.done();
      await new Promise((resolve) => setTimeout(resolve, tries === 0 ? 0 : settledPauseMs));
      found = await run(readAuthSecret);
    }
    return found;
  };

  const check = async ({ username, password, client }: Attempt): ReturnType<SignIn> => {
    const found = await settled(await run(readAuthSecret), username);
    // While the Secret is missing, its namespace, and with it our rights, may be missing too.
    const isAbsent = Result.isFailure(found) ? absenceIn(operator.caches) !== null : found.success === undefined;
    if (isAbsent) return outcome('nobody');
    if (Result.isFailure(found)) return Result.fail(found.failure);
    const directory = directoryOf(found.success);
    const user = directory.users.get(username);
    const isRight = await isPasswordOf(hasher, password, user);
    const { event } = tryName(directory, { username, isRight, now: now() });
    if (user && event === 'signedIn') {
      const { role, epoch } = user;
      return epoch === null ? outcome('busy') : Result.succeed<Outcome>({ is: 'in', role, epoch, directory });
    }
    addresses.failed(client.limited);
    return outcome('refused');
  };

  const turns = makeTurns<Waiting>(waitingAtMost);
  let isWorking = false;
  // One attempt after the other, so that many at once cannot all pass before the first failure is counted. It is
  // answered before it is counted: only a name that exists is, and the time of a write would tell.
  const work = async () => {
    if (isWorking) return;
    isWorking = true;
    for (let one = turns.next(); one !== undefined; one = turns.next()) {
      const checked = check(one.attempt);
      one.answer(checked);
      const result = await checked.catch(() => null);
      if (result !== null && Result.isSuccess(result) && result.success.is === 'refused')
        await record(one.attempt.username).catch(() => undefined);
    }
    isWorking = false;
  };
  return (attempt) => {
    const { client, password } = attempt;
    if (addresses.isRefused(client.limited)) return Promise.resolve(outcome('refused'));
    if (password === samplePassword) return Promise.resolve(outcome('sample'));
    return new Promise((answer) => {
      turns.add({ ...client, attempt, answer })?.answer(Promise.resolve(outcome('busy')));
      void work();
    });
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
