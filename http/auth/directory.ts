import { createHash } from 'node:crypto';
import type { FailureRecord } from '../../rules/nameLockout/facts.ts';
import type { FailureRecords } from '../../rules/nameLockout/records.ts';
import type { Secret } from '../../crds/builtIn.ts';
import { secretText } from '../../runtime/services/secretText.ts';
import { entryIn, fieldsIn, type UnusableUser, type User } from './entry.ts';

export type { User } from './entry.ts';

/** The Secret in core-system that holds users, lockouts and the key of the session cookies (document 002, Users). */
export const authSecret = 'core-dashboard-auth';
export const sessionKeyName = 'session-key';
export const lockoutsName = 'lockouts';
const userPrefix = 'user.';
const userKey = (username: string): string => `${userPrefix}${username}`;

/** A key with fewer bytes could be guessed, and with it every cookie. */
const keyBytesLeast = 32;

/** The content of the Secret. */
export interface Directory {
  readonly sessionKey: Buffer | null;
  /** Identifies the key without revealing it; empty where there is none. */
  readonly keyDigest: string;
  readonly users: ReadonlyMap<string, User>;
  readonly unusable: ReadonlyMap<string, UnusableUser>;
  /** Failed sign-ins by name. */
  readonly lockouts: FailureRecords;
}

const nobody: Directory = {
  sessionKey: null,
  keyDigest: '',
  users: new Map(),
  unusable: new Map(),
  lockouts: new Map(),
};
const read = new WeakMap<Secret, Directory>();

/** Parses the Secret, each version once. A malformed record counts as absent. */
export function directoryOf(secret: Secret | undefined): Directory {
  if (!secret) return nobody;
  const known = read.get(secret);
  if (known) return known;
  const sessionKey = keyIn(secret);
  const directory: Directory = {
    sessionKey,
    keyDigest: sessionKey === null ? '' : createHash('sha256').update(sessionKey).digest('hex'),
    ...entriesOf(secret),
    lockouts: lockoutsOf(secretText(secret, lockoutsName)),
  };
  read.set(secret, directory);
  return directory;
}

function keyIn(secret: Secret): Buffer | null {
  const key = Buffer.from(secret.data?.[sessionKeyName] ?? '', 'base64');
  return key.length < keyBytesLeast ? null : key;
}

/** The text of each user's entry, by name. */
export const entryTexts = (secret: Secret): ReadonlyMap<string, string> =>
  new Map(
    Object.keys(secret.data ?? {})
      .filter((key) => key.startsWith(userPrefix))
      .map((key) => [key.slice(userPrefix.length), secretText(secret, key)]),
  );

function entriesOf(secret: Secret): Pick<Directory, 'users' | 'unusable'> {
  const users = new Map<string, User>();
  const unusable = new Map<string, UnusableUser>();
  for (const [name, text] of entryTexts(secret)) {
    const entry = entryIn(text);
    if (name === '') unusable.set(name, { role: '', problem: 'there is no name' });
    else if (entry.is === 'user') users.set(name, entry.user);
    else unusable.set(name, { role: entry.role, problem: entry.problem });
  }
  return { users, unusable };
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0;
const isTime = (value: unknown): value is number => typeof value === 'number' && value >= 0;

function lockoutsOf(text: string): FailureRecords {
  const records = Object.entries(fieldsIn(text) ?? {}).flatMap(([name, record]): readonly [string, FailureRecord][] => {
    const { since, failures, lockedUntil } = (record ?? {}) as Partial<FailureRecord>;
    if (!isTime(since) || !isCount(failures)) return [];
    return [[name, { since, failures, lockedUntil: isTime(lockedUntil) ? lockedUntil : 0 }]];
  });
  return new Map(records);
}

export const encode = (text: string): string => Buffer.from(text).toString('base64');

/** The Secret's data with one user's entry set. */
export const entryData = (username: string, text: string): Readonly<Record<string, string>> => ({
  [userKey(username)]: encode(text),
});

/** The same for a user; without an epoch the user gets one when the entry is first read. */
export const userData = (username: string, user: Omit<User, 'epoch'> & Partial<Pick<User, 'epoch'>>) =>
  entryData(username, JSON.stringify(user));
