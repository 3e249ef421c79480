import { randomUUID } from 'node:crypto';
import type { Place, Stored } from '../../store.ts';
import { type Json, at, jsonAt, listAt, numberAt, textAt } from '../json.ts';
import type { ApiStore } from '../store/store.ts';
import { type SigningKey, claimsOf, isSigned, signed } from './jwt.ts';
import { type User, accountGroups, accountUserName } from './user.ts';

/** The kinds of objects with which a token ends, by the bucket that holds them. */
export const bindable = { Pod: '/pods', Secret: '/secrets', Node: '/nodes' } as const;
export type Bindable = keyof typeof bindable;

interface Wish {
  readonly audiences: readonly string[];
  readonly seconds: number;
  readonly bound?: { readonly kind: Bindable; readonly object: Stored };
}

/** A good token's user and those of the audiences that it is meant for, or why it is no good. */
export type Verdict =
  | { readonly is: 'good'; readonly user: User; readonly audiences: readonly string[] }
  | { readonly is: 'bad'; readonly why: string }
  | { readonly is: 'foreign' };

/** The tokens of service accounts: issued, and verified. */
export interface AccountTokens {
  readonly issue: (account: Stored, wish: Wish) => { readonly token: string; readonly expiresMs: number };
  /** The token that a Secret of its own keeps; it ends with the Secret. */
  readonly issueFor: (account: Stored, secret: string) => string;
  readonly check: (token: string, audiences: readonly string[]) => Verdict;
}

export const issuer = 'https://kubernetes.default.svc.cluster.local';
const legacyIssuer = 'kubernetes/serviceaccount';
const legacy = (name: string) => `kubernetes.io/serviceaccount/${name}`;
const remembered = 2_000;
const extraOf = (name: string) => `authentication.kubernetes.io/${name}`;

/** Tokens signed with one key, over the accounts of one store. */
export function createAccountTokens(store: ApiStore, key: SigningKey, now: () => number = Date.now): AccountTokens {
  // A signature that held once holds for ever; what else a token needs is looked up each time.
  const believed = new Map<string, Json>();

  function issue(account: Stored, { audiences, seconds, bound }: Wish) {
    const { name, namespace = '', uid } = account.metadata;
    const iat = Math.floor(now() / 1000);
    const exp = iat + seconds;
    const node = bound?.kind === 'Pod' ? nodeOf(store, bound.object) : undefined;
    const claims = {
      aud: audiences,
      exp,
      iat,
      iss: issuer,
      jti: randomUUID(),
      'kubernetes.io': {
        namespace,
        ...(node && { node: refOf(node) }),
        ...(bound && { [bound.kind.toLowerCase()]: refOf(bound.object) }),
        serviceaccount: { name, uid },
      },
      nbf: iat,
      sub: accountUserName(namespace, name),
    };
    return { token: signed(claims, key), expiresMs: exp * 1000 };
  }

  function issueFor({ metadata: { name, namespace = '', uid } }: Stored, secret: string) {
    return signed(
      {
        iss: legacyIssuer,
        [legacy('namespace')]: namespace,
        [legacy('secret.name')]: secret,
        [legacy('service-account.name')]: name,
        [legacy('service-account.uid')]: uid,
        sub: accountUserName(namespace, name),
      },
      key,
    );
  }

  function check(token: string, audiences: readonly string[]): Verdict {
    const known = believed.get(token);
    const claims = known ?? claimsOf(token);
    const from = textAt(claims, 'iss');
    if (claims === null || (from !== issuer && from !== legacyIssuer)) return { is: 'foreign' };
    if (!known) {
      if (!isSigned(token, key)) return bad('error in cryptographic primitive');
      believe(token, claims);
    }
    return from === issuer ? checkBound(claims, audiences) : checkLegacy(claims, token, audiences);
  }

  /** Forgets the oldest first: what is forgotten is only checked again. */
  function believe(token: string, claims: Json) {
    believed.set(token, claims);
    for (const oldest of believed.keys()) {
      if (believed.size <= remembered) break;
      believed.delete(oldest);
    }
  }

  function checkBound(claims: Json, audiences: readonly string[]): Verdict {
    const meant = listAt(claims, 'aud').map(String);
    const shared = audiences.filter((audience) => meant.includes(audience));
    const seconds = now() / 1000;
    if (shared.length === 0)
      return bad(`token audiences ${goList(meant)} is invalid for the target audiences ${goList(audiences)}`);
    if (numberAt(claims, 'exp') < seconds) return bad('service account token has expired');
    if (numberAt(claims, 'nbf') > seconds) return bad('service account token is not valid yet');
    const own = jsonAt(claims, 'kubernetes.io');
    const namespace = textAt(own, 'namespace');
    const account = jsonAt(own, 'serviceaccount');
    const why = accountFault(namespace, account) ?? boundFault(own, namespace);
    return why === null ? good(userOf(namespace, account, extrasOf(claims, own)), shared) : bad(why);
  }

  function checkLegacy(claims: Json, token: string, audiences: readonly string[]): Verdict {
    const namespace = textAt(claims, legacy('namespace'));
    const account = {
      name: textAt(claims, legacy('service-account.name')),
      uid: textAt(claims, legacy('service-account.uid')),
    };
    if (!audiences.includes(issuer)) return bad('the token is meant for the API server alone');
    const place = { bucket: '/secrets', namespace, name: textAt(claims, legacy('secret.name')) };
    const secret = living(store, place);
    if (textAt(secret, 'data', 'token') !== Buffer.from(token).toString('base64'))
      return bad('service account token has been invalidated');
    const why = accountFault(namespace, account);
    return why === null ? good(userOf(namespace, account, {}), [issuer]) : bad(why);
  }

  function accountFault(namespace: string, account: Json): string | null {
    const name = textAt(account, 'name');
    const found = store.get({ bucket: '/serviceaccounts', namespace, name });
    if (!found) return `serviceaccounts ${JSON.stringify(name)} not found`;
    if (found.metadata.deletionTimestamp !== undefined) return `service account ${namespace}/${name} has been deleted`;
    const { uid } = found.metadata;
    const claimed = textAt(account, 'uid');
    return uid === claimed ? null : `service account UID (${uid}) does not match claim (${claimed})`;
  }

  /** A token ends with the pod, the Secret or the node that it was given out for; a pod's node may go before. */
  function boundFault(own: Json, namespace: string): string | null {
    const kinds: readonly Bindable[] = at(own, 'pod') === undefined ? ['Secret', 'Node'] : ['Pod'];
    const ended = kinds.some((kind) => {
      const ref = at(own, kind.toLowerCase());
      if (ref === undefined) return false;
      const place = { bucket: bindable[kind], namespace: kind === 'Node' ? '' : namespace, name: textAt(ref, 'name') };
      return living(store, place)?.metadata.uid !== textAt(ref, 'uid');
    });
    return ended ? 'service account token has been invalidated' : null;
  }

  return { issue, issueFor, check };
}

const good = (user: User, audiences: readonly string[]): Verdict => ({ is: 'good', user, audiences });
const bad = (why: string): Verdict => ({ is: 'bad', why });
const refOf = ({ metadata: { name, uid } }: Stored) => ({ name, uid });
const goList = (words: readonly string[]) => `[${words.map((word) => JSON.stringify(word)).join(' ')}]`;

const userOf = (namespace: string, account: Json, extra: Record<string, readonly string[]>): User => ({
  name: accountUserName(namespace, textAt(account, 'name')),
  uid: textAt(account, 'uid'),
  groups: accountGroups(namespace),
  extra,
});

function extrasOf(claims: Json, own: Json): Record<string, readonly string[]> {
  const refs = (['node', 'pod'] as const).flatMap((kind) =>
    (['name', 'uid'] as const).map((field) => [extraOf(`${kind}-${field}`), textAt(own, kind, field)] as const),
  );
  const id = [extraOf('credential-id'), `JTI=${textAt(claims, 'jti')}`] as const;
  return Object.fromEntries([id, ...refs].filter(([, value]) => value !== '').map(([name, value]) => [name, [value]]));
}

function nodeOf(store: ApiStore, pod: Stored): Stored | undefined {
  const name = textAt(pod, 'spec', 'nodeName');
  return name === '' ? undefined : store.get({ bucket: bindable.Node, namespace: '', name });
}

function living(store: ApiStore, place: Place): Stored | undefined {
  const found = store.get(place);
  return found?.metadata.deletionTimestamp === undefined ? found : undefined;
}
