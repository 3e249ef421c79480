/** Who asks: what authentication found out and authorization decides by. */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Groups that stand for a way of being known. */
export const group = {
  masters: 'system:masters',
  authenticated: 'system:authenticated',
  unauthenticated: 'system:unauthenticated',
  serviceAccounts: 'system:serviceaccounts',
} as const;

/** Whoever shows no credentials. */
export const anonymous: User = { name: 'system:anonymous', groups: [group.unauthenticated] };

/** A user whose credentials were found good is in the group of all such. */
export const authenticated = (user: User): User =>
  user.groups.includes(group.authenticated) ? user : { ...user, groups: [...user.groups, group.authenticated] };

const accountPrefix = 'system:serviceaccount:';

/** The name of a service account as a user. */
export const accountUserName = (namespace: string, name: string) => `${accountPrefix}${namespace}:${name}`;

export const accountGroups = (namespace: string) => [group.serviceAccounts, `${group.serviceAccounts}:${namespace}`];

interface AccountName {
  readonly namespace: string;
  readonly name: string;
}

/** The service account that a user name stands for; null for any other user. */
export function accountOf(user: string): AccountName | null {
  if (!user.startsWith(accountPrefix)) return null;
  const [namespace = '', name = '', ...more] = user.slice(accountPrefix.length).split(':');
  return namespace === '' || name === '' || more.length > 0 ? null : { namespace, name };
}

/** The node that a user name stands for; null for any other user. */
export const nodeOf = (user: string): string | null =>
  /^system:node:([a-z0-9]([-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)$/.exec(user)?.[1] ?? null;

/** A user as the reviews show it. */
export const userInfo = ({ name, uid, groups, extra }: User) => ({
  username: name,
  ...(uid !== undefined && uid !== '' && { uid }),
  ...(groups.length > 0 && { groups }),
  ...(extra && Object.keys(extra).length > 0 && { extra }),
});
