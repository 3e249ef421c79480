import type { FailureRecord } from '../../rules/nameLockout/facts.ts';
import type { FailureRecords } from '../../rules/nameLockout/records.ts';
import { type Secret } from '../../runtime/resources.ts';
import { secretText } from '../../runtime/secretText.ts';

/** The Secret in core-system that holds users, lockouts and the key of the session cookies (document 002, Users). */
export const authSecret = 'core-dashboard-auth';
export const sessionKeyName = 'session-key';
export const lockoutsName = 'lockouts';
const userPrefix = 'user.';
export const userKey = (username: string): string => `${userPrefix}${username}`;

export interface User {
  readonly role: 'admin' | 'viewer';
  /** A bcrypt hash, or the plain text until it is first read. */
  readonly password: string;
  /** Counts sign-outs: a session of an earlier epoch is over. */
  readonly epoch: number;
}

/** What the Secret says. */
export interface Directory {
  readonly sessionKey: Buffer | null;
  readonly users: ReadonlyMap<string, User>;
  /** Failed sign-ins by name. */
  readonly lockouts: FailureRecords;
}

const nobody: Directory = { sessionKey: null, users: new Map(), lockouts: new Map() };
const read = new WeakMap<Secret, Directory>();

/** Reads the Secret; each version of it once. A user or record that is malformed counts as absent. */
export function directoryOf(secret: Secret | undefined): Directory {
  if (!secret) return nobody;
  const known = read.get(secret);
  if (known) return known;
  const key = secret.data?.[sessionKeyName] ?? '';
  const directory: Directory = {
    sessionKey: key === '' ? null : Buffer.from(key, 'base64'),
    users: new Map(Object.keys(secret.data ?? {}).flatMap((name) => userOf(secret, name))),
    lockouts: lockoutsOf(secretText(secret, lockoutsName)),
  };
  read.set(secret, directory);
  return directory;
}

function parse(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function userOf(secret: Secret, name: string): readonly [string, User][] {
  if (!name.startsWith(userPrefix)) return [];
  const { role, password, epoch = 0 } = parse(secretText(secret, name)) ?? {};
  if ((role !== 'admin' && role !== 'viewer') || typeof password !== 'string' || password === '') return [];
  return [[name.slice(userPrefix.length), { role, password, epoch: typeof epoch === 'number' ? epoch : 0 }]];
}

function lockoutsOf(text: string): FailureRecords {
  const records = Object.entries(parse(text) ?? {}).flatMap(([name, record]): readonly [string, FailureRecord][] => {
    const { since, failures, lockedUntil } = (record ?? {}) as Partial<FailureRecord>;
    if (typeof since !== 'number' || typeof failures !== 'number') return [];
    return [[name, { since, failures, lockedUntil: typeof lockedUntil === 'number' ? lockedUntil : 0 }]];
  });
  return new Map(records);
}

export const encode = (text: string): string => Buffer.from(text).toString('base64');

/** The Secret's data with one user set. */
export const userData = (username: string, user: User) => ({ [userKey(username)]: encode(JSON.stringify(user)) });
