import type { IncomingHttpHeaders } from 'node:http';
import type { ResourceAttributes } from '../authorization/attributes.ts';
import { type Caller, checkAllowed } from '../authorization/caller.ts';
import { internal } from '../status.ts';
import { type User, accountGroups, accountOf, anonymous, group } from './user.ts';

const extraPrefix = 'impersonate-extra-';

interface Wanted {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: readonly (readonly [string, readonly string[]])[];
}

/** The user in whose name a request is made: the one that sent it, or whom it may impersonate. */
export function impersonated(caller: Caller, headers: IncomingHttpHeaders): User {
  const wanted = wantedBy(headers);
  if (!wanted) return caller.user;
  for (const asked of needs(wanted)) checkAllowed(caller, asked);
  const { name, uid, extra } = wanted;
  return {
    name,
    groups: groupsOf(wanted),
    ...(uid !== '' && { uid }),
    ...(extra.length > 0 && { extra: Object.fromEntries(extra) }),
  };
}

function wantedBy(headers: IncomingHttpHeaders): Wanted | null {
  if (!Object.keys(headers).some((header) => header.startsWith('impersonate-'))) return null;
  const name = String(headers['impersonate-user'] ?? '');
  const uid = String(headers['impersonate-uid'] ?? '');
  const groups = listed(headers['impersonate-group']);
  const extra = Object.entries(headers)
    .filter(([header]) => header.startsWith(extraPrefix))
    .map(([header, values]) => [decoded(header.slice(extraPrefix.length)), listed(values)] as const);
  if (name !== '') return { name, uid, groups, extra };
  if (uid === '' && groups.length === 0 && extra.length === 0) return null;
  throw internal(`requested ${JSON.stringify({ uid, groups, extra })} without impersonating a user`);
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

/** What the caller must be allowed: the verb `impersonate` on each thing that it wants to be. */
function needs({ name, uid, groups, extra }: Wanted): readonly ResourceAttributes[] {
  const account = accountOf(name);
  const own = account ? want('serviceaccounts', account.name, { namespace: account.namespace }) : want('users', name);
  const outside = { group: 'authentication.k8s.io' };
  return [
    own,
    ...groups.map((one) => want('groups', one)),
    ...extra.flatMap(([key, values]) =>
      values.map((value) => want('userextras', value, { ...outside, subresource: key })),
    ),
    ...(uid === '' ? [] : [want('uids', uid, outside)]),
  ];
}

const want = (resource: string, name: string, more: Partial<ResourceAttributes> = {}): ResourceAttributes => ({
  is: 'resource',
  verb: 'impersonate',
  group: '',
  resource,
  subresource: '',
  namespace: '',
  name,
  ...more,
});

/** A service account is in its groups unless others are asked for, and everybody in the one of those known or unknown. */
function groupsOf({ name, groups }: Wanted): readonly string[] {
  const account = accountOf(name);
  const given = groups.length === 0 && account ? accountGroups(account.namespace) : groups;
  const isTold = given.includes(group.authenticated) || given.includes(group.unauthenticated);
  if (isTold) return given;
  return [...given, name === anonymous.name ? group.unauthenticated : group.authenticated];
}
