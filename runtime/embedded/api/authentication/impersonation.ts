import type { IncomingHttpHeaders } from 'node:http';
import type { Attributes } from '../authorization/attributes.ts';
import type { Caller } from '../authorization/caller.ts';
import { StatusError, badRequest } from '../status.ts';
import { type Mode, type Wanted, modes } from './impersonationModes.ts';
import { type User, accountGroups, accountOf, anonymous, group } from './user.ts';

const extraPrefix = 'impersonate-extra-';
/** Of so many users it is kept in mind how they may impersonate. */
const mostRemembered = 10_000;

/** Finds the user in whose name a request is made: the one that sent it, or whom it may impersonate for what it asks. */
export type Impersonation = (caller: Caller, headers: IncomingHttpHeaders, asked: Attributes) => User;

/** Tries the mode that last served the sender, then the others; if none allows it, the first refusal is returned. */
export function createImpersonation(): Impersonation {
  const last = new Map<string, Mode>();

  return (caller, headers, asked) => {
    const wanted = wantedBy(headers);
    if (!wanted) return caller.user;
    const { name } = caller.user;
    const known = last.get(name);
    let refusal: StatusError | undefined;
    for (const mode of known ? [known, ...modes.filter((one) => one !== known)] : modes) {
      if (!mode.concerns(wanted, caller.user)) continue;
      const refused = refusalBy(mode, { caller, wanted, asked });
      refusal ??= refused;
      if (refused) continue;
      if (last.size >= mostRemembered) last.clear();
      last.set(name, mode);
      return userOf(wanted, mode);
    }
    throw refusal ?? badRequest('no mode of impersonation applies');
  };
}

interface Attempt {
  readonly caller: Caller;
  readonly wanted: Wanted;
  readonly asked: Attributes;
}

function refusalBy(mode: Mode, { caller, wanted, asked }: Attempt): StatusError | undefined {
  try {
    mode.check(caller, wanted, asked);
    return undefined;
  } catch (why) {
    if (why instanceof StatusError) return why;
    throw why;
  }
}

function wantedBy(headers: IncomingHttpHeaders): Wanted | null {
  if (!Object.keys(headers).some((header) => header.startsWith('impersonate-'))) return null;
  const name = String(headers['impersonate-user'] ?? '');
  const uid = String(headers['impersonate-uid'] ?? '');
  const groups = listed(headers['impersonate-group']);
  const extra = Object.entries(headers)
    .filter(([header]) => header.startsWith(extraPrefix))
    .map(([header, values]) => [decoded(header.slice(extraPrefix.length)), listed(values)] as const);
  const wanted = { name, uid, groups, extra };
  if (name !== '') return wanted;
  if (uid === '' && groups.length === 0 && extra.length === 0) return null;
  throw badRequest(`requested ${inGo(wanted)} without impersonating a user name`);
}

function inGo({ uid, groups, extra }: Wanted): string {
  const list = (texts: readonly string[]) => `[]string{${texts.map((text) => JSON.stringify(text)).join(', ')}}`;
  const entries = extra.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const map = `{${entries.map(([key, values]) => `${JSON.stringify(key)}:${list(values)}`).join(', ')}}`;
  const groupText = groups.length === 0 ? '[]string(nil)' : list(groups);
  const extraText = extra.length === 0 ? '(nil)' : map;
  return `&user.DefaultInfo{Name:"", UID:${JSON.stringify(uid)}, Groups:${groupText}, Extra:map[string][]string${extraText}}`;
}

/** Headers that come several times are joined by node. */
function listed(value: string | string[] | undefined): readonly string[] {
  const texts = value === undefined ? [] : Array.isArray(value) ? value : value.split(', ');
  return texts.filter((text) => text !== '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function userOf(wanted: Wanted, mode: Mode): User {
  const { name, uid, extra } = wanted;
  return {
    name,
    groups: groupsOf(wanted, mode),
    ...(uid !== '' && { uid }),
    ...(extra.length > 0 && { extra: Object.fromEntries(extra) }),
  };
}

/** A service account is in its groups unless others are asked for, and everybody in the one of those known or unknown. */
function groupsOf({ name, groups }: Wanted, { ownGroups }: Mode): readonly string[] {
  const account = accountOf(name);
  const given = ownGroups ?? (groups.length === 0 && account ? accountGroups(account.namespace) : groups);
  const isTold = given.includes(group.authenticated) || given.includes(group.unauthenticated);
  if (isTold) return given;
  return [...given, name === anonymous.name ? group.unauthenticated : group.authenticated];
}
