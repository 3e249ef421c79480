import type { Stored } from '../../store.ts';
import type { Attributes } from '../admission/attributes.ts';
import { type User, accountGroups, accountUserName, authenticated, userInfo } from '../authentication/user.ts';
import type { Decide } from '../cel/functions/authorization.ts';
import { type Call, isDryRun } from '../call.ts';
import { type Json, jsonAt, textAt } from '../json.ts';
import { scaleOf } from '../kinds/scale.ts';
import { assembled } from '../store/assembled.ts';

/** Lets the admission policies judge a new object, as it was asked for and as it would be stored. */
export function admitNew(call: Call, asked: Json, prepared: Json): void {
  call.admission.check(() => {
    const { namespace } = call;
    const metadata = assembled(jsonAt(prepared, 'metadata'), { namespace: namespace === '' ? undefined : namespace });
    const name = call.name ?? textAt(asked, 'metadata', 'name');
    return attributesOf(call, {
      operation: 'CREATE',
      name,
      object: assembled(prepared, { metadata }),
      oldObject: null,
    });
  }, call.warn);
}

/** Lets the admission policies judge the next version of an object. */
export function admitNext(call: Call, old: Stored, next: Stored): void {
  const { type, subresource } = call;
  const shown = (object: Stored) => (subresource === 'scale' ? scaleOf(type, object) : object);
  call.admission.check(
    () =>
      attributesOf(call, {
        operation: 'UPDATE',
        name: old.metadata.name,
        object: shown(next),
        oldObject: shown(old),
      }),
    call.warn,
  );
}

/** Lets the admission policies judge that an object goes. */
export function admitRemoval(call: Call, old: Stored): void {
  // Of a collection only the request is named, and it has no name.
  const name = call.name ?? '';
  call.admission.check(
    () => attributesOf(call, { operation: 'DELETE', name, object: null, oldObject: old }),
    call.warn,
  );
}

type Written = Pick<Attributes, 'operation' | 'name' | 'object' | 'oldObject'>;

function attributesOf(call: Call, written: Written): Attributes {
  const { type, subresource } = call;
  const { operation, name, object, oldObject } = written;
  const isOwnNamespace = type.group === '' && type.plural === 'namespaces';
  return {
    operation,
    name,
    object,
    oldObject,
    type,
    subresource: subresource ?? '',
    kind:
      subresource === 'scale'
        ? { group: 'autoscaling', version: 'v1', kind: 'Scale' }
        : { group: type.group, version: type.version, kind: type.kind },
    namespace: isOwnNamespace ? written.name : call.namespace,
    dryRun: isDryRun(call),
    user: userInfo(call.caller.user),
    decide: deciding(call),
  };
}

/** What the roles of the cluster allow the one who writes, and ServiceAccounts. */
const deciding =
  ({ caller: { user, policy } }: Call): Decide =>
  (asked, account) => {
    const who = account ? accountUser(account) : user;
    const { verb, path, group = '', resource = '', subresource = '', namespace = '', name = '' } = asked;
    if (path !== undefined) return policy.decide(who, { is: 'path', verb, path });
    return policy.decide(who, { is: 'resource', verb, group, resource, subresource, namespace, name });
  };

const accountUser = ({ namespace, name }: { readonly namespace: string; readonly name: string }): User =>
  authenticated({ name: accountUserName(namespace, name), groups: accountGroups(namespace) });
