import { isObject } from '../../rules/json.ts';
import { isHash, isHashable, isHashText } from './hasher.ts';
import { samplePassword } from './samplePassword.ts';

export interface User {
  readonly role: 'admin' | 'viewer';
  /** A bcrypt hash, or plain text until the entry is first read. */
  readonly password: string;
  /** Rises with every sign-out: a session of an earlier epoch is over. Null until an entry written by hand gets one. */
  readonly epoch: number | null;
}

/** A user who cannot sign in, and why. */
export interface UnusableUser {
  readonly role: string;
  readonly problem: string;
}

/** The content of an entry of the sign-in Secret: a user, or why it is none. */
export type Entry = { readonly is: 'user'; readonly user: User } | ({ readonly is: 'unusable' } & UnusableUser);

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a JSON object; null for any other text. */
export function fieldsIn(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const noObject = 'the entry is no JSON object';
const maxShown = 200;
const printed = (value: unknown): string => (typeof value === 'string' ? value.slice(0, maxShown) : '');

/** Epochs rise by one at a time; above this a number could no longer be raised exactly. */
const epochsBelow = 2 ** 52;
export const isEpoch = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < epochsBelow;

const isAbsent = (password: unknown): boolean => password === undefined || password === null || password === '';

/**
 * Why a password must not stay readable although it cannot be hashed; null for a hash and for a password that can be
 * hashed.
 */
function passwordFault(password: unknown): string | null {
  if (typeof password !== 'string') return 'the password must be a text';
  if (isHash(password)) return null;
  if (isHashText(password)) return 'the hash of the password is none that can be checked';
  if (!isHashable(password)) return 'the password is longer than 72 bytes';
  return password === samplePassword ? 'the password is that of the sample' : null;
}

function roleProblem(role: unknown): string | null {
  if (role === 'admin' || role === 'viewer') return null;
  return role === undefined ? 'there is no role: admin or viewer' : 'the role must be admin or viewer';
}

/** An entry whose password was removed keeps the reason. */
const passwordProblem = ({ password, problem }: Fields): string | null =>
  isAbsent(password) ? printed(problem) || 'there is no password' : passwordFault(password);

/** Parses an entry. */
export function entryIn(text: string): Entry {
  const fields = fieldsIn(text);
  if (fields === null || fields['problem'] === noObject) return { is: 'unusable', role: '', problem: noObject };
  const { role, password, epoch } = fields;
  const problem = [roleProblem(role), passwordProblem(fields)].filter((one) => one !== null).join('; ');
  if (problem !== '' || (role !== 'admin' && role !== 'viewer') || typeof password !== 'string')
    return { is: 'unusable', role: printed(role), problem };
  return { is: 'user', user: { role, password, epoch: isEpoch(epoch) ? epoch : null } };
}

/** The plain-text password of an entry when it can be hashed, even if the user is unusable otherwise. */
export function plainPasswordIn(text: string): string | null {
  const password = fieldsIn(text)?.['password'];
  const isPlain = typeof password === 'string' && password !== '' && !isHash(password);
  return isPlain && passwordFault(password) === null ? password : null;
}

/** A plain password, and a hash of it with its own salt. */
export interface Hashed {
  readonly plain: string;
  readonly hash: string;
}

/**
 * An entry without a readable password; the rest stays unchanged. An unusable password is removed, and the entry
 * records why.
 */
export function unreadable(text: string, hashed: Hashed | undefined): string {
  const fields = fieldsIn(text);
  if (fields === null) return text === '' ? text : JSON.stringify({ problem: noObject });
  const { password, problem: _, ...rest } = fields;
  if (isAbsent(password)) return text;
  const fault = passwordFault(password);
  if (fault !== null) return JSON.stringify({ ...rest, problem: fault });
  return hashed !== undefined && hashed.plain === password ? JSON.stringify({ ...rest, password: hashed.hash }) : text;
}

/**
 * An entry with the epoch of its name, which only rises; the rest stays unchanged. A plain entry without an epoch waits
 * for its hash: before that, nothing shows whether its user is the previous one.
 */
export function withEpoch(text: string, epoch: number | null): string {
  const entry = entryIn(text);
  if (entry.is !== 'user' || epoch === null || (entry.user.epoch ?? -1) >= epoch) return text;
  const waits = entry.user.epoch === null && !isHash(entry.user.password);
  return waits ? text : JSON.stringify({ ...fieldsIn(text), epoch });
}
