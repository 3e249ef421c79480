import type { Attributes, ResourceAttributes } from '../authorization/attributes.ts';
import { type Caller, checkAllowed, refusedTo } from '../authorization/caller.ts';
import { type User, accountOf, group, nodeOf } from './user.ts';

/** Whom a request wants to be. */
export interface Wanted {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: readonly (readonly [string, readonly string[]])[];
}

/** One of the ways to be allowed to impersonate. */
export interface Mode {
  /** Whether it is about such a user at all. */
  readonly concerns: (wanted: Wanted, sender: User) => boolean;
  /** 403 where the sender may not, for what it asks for. */
  readonly check: (caller: Caller, wanted: Wanted, asked: Attributes) => void;
  /** Set where the groups do not depend on what is wanted. */
  readonly ownGroups?: readonly string[];
}

const outside = 'authentication.k8s.io';
const nodeName = 'authentication.kubernetes.io/node-name';
/** From so many groups or values on, the right to all of them is looked for first. */
const many = 4;

const isNameAlone = ({ uid, groups, extra }: Wanted) => uid === '' && groups.length === 0 && extra.length === 0;

/** The verb `impersonate`, whatever is asked for then. */
const legacy: Mode = {
  concerns: () => true,
  check(caller, { name, uid, groups, extra }) {
    const want = wantOf('impersonate');
    checkAllowed(caller, ownName(want, '', name));
    if (uid !== '') checkAllowed(caller, want(outside, 'uids', uid));
    for (const one of groups) checkAllowed(caller, want('', 'groups', one));
    checkExtra(caller, want, extra);
  },
};

/** The verb `impersonate:MODE` on whom, and `impersonate-on:MODE:VERB` on what is asked for. */
const constrained = (
  mode: string,
  checkWhom: (caller: Caller, wanted: Wanted, want: Want) => void,
): Pick<Mode, 'check'> => ({
  check(caller, wanted, asked) {
    checkAllowed(caller, { ...asked, verb: `impersonate-on:${mode}:${asked.verb}` });
    checkWhom(caller, wanted, wantOf(`impersonate:${mode}`));
  },
});

const ownGroups = ['system:nodes'];
const isSendersNode = (name: string, { extra }: User) => {
  const [own, ...more] = extra?.[nodeName] ?? [];
  return own !== undefined && more.length === 0 && own === nodeOf(name);
};

/** In the order in which they are tried. */
export const modes: readonly Mode[] = [
  {
    concerns: (wanted, sender) =>
      isNameAlone(wanted) && accountOf(sender.name) !== null && isSendersNode(wanted.name, sender),
    ...constrained('associated-node', (caller, _, want) => checkAllowed(caller, want(outside, 'nodes', '*'))),
    ownGroups,
  },
  {
    concerns: (wanted) => isNameAlone(wanted) && nodeOf(wanted.name) !== null,
    ...constrained('arbitrary-node', (caller, { name }, want) =>
      checkAllowed(caller, want(outside, 'nodes', nodeOf(name) ?? '')),
    ),
    ownGroups,
  },
  {
    concerns: (wanted) => isNameAlone(wanted) && accountOf(wanted.name) !== null,
    ...constrained('serviceaccount', (caller, { name }, want) => checkAllowed(caller, ownName(want, outside, name))),
  },
  {
    concerns: ({ name }) => nodeOf(name) === null && accountOf(name) === null,
    ...constrained('user-info', checkUser),
  },
  legacy,
];

function checkUser(caller: Caller, { name, uid, groups, extra }: Wanted, want: Want): void {
  checkAllowed(caller, want(outside, 'users', name));
  if (uid !== '') checkAllowed(caller, want(outside, 'uids', uid));
  checkGroups(caller, groups, want);
  checkKeys(caller, extra, want);
  const isLarge = extra.length >= many || extra.flatMap(([, values]) => values).length >= many;
  if (!isLarge || !isAllowed(caller, want(outside, 'userextras', '*', '*'))) checkExtra(caller, want, extra);
}

function checkGroups(caller: Caller, groups: readonly string[], want: Want): void {
  if (groups.includes(group.masters))
    throw refusedTo(
      caller.user,
      want(outside, 'groups', group.masters),
      `impersonating the ${group.masters} group is not allowed`,
    );
  if (groups.length >= many && isAllowed(caller, want(outside, 'groups', '*'))) return;
  for (const one of groups) checkAllowed(caller, want(outside, 'groups', one));
}

/** The keys of what else is known of a user start with a domain. */
function checkKeys(caller: Caller, extra: Wanted['extra'], want: Want): void {
  for (const [key] of extra) {
    if (/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?\/./.test(key)) continue;
    const why = `extra.key: Invalid value: ${JSON.stringify(key)}: must be a domain-prefixed path (such as "acme.io/foo")`;
    throw refusedTo(
      caller.user,
      want(outside, 'userextras', ''),
      `impersonating an invalid key in extra is not allowed: ${why}`,
    );
  }
}

function checkExtra(caller: Caller, want: Want, extra: Wanted['extra']): void {
  for (const [key, values] of extra)
    for (const value of values) checkAllowed(caller, want(outside, 'userextras', value, key));
}

const isAllowed = ({ user, policy }: Caller, asked: ResourceAttributes) => policy.decide(user, asked).allowed;

function ownName(want: Want, ofUsers: string, name: string): ResourceAttributes {
  const account = accountOf(name);
  if (!account) return want(ofUsers, 'users', name);
  return { ...want(ofUsers, 'serviceaccounts', account.name), namespace: account.namespace };
}

type Want = (group: string, resource: string, name: string, subresource?: string) => ResourceAttributes;

const wantOf =
  (verb: string): Want =>
  (of, resource, name, subresource = '') => ({
    is: 'resource',
    verb,
    group: of,
    resource,
    subresource,
    namespace: '',
    name,
  });
