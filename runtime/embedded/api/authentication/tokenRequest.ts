import type { Stored } from '../../store.ts';
import type { Call } from '../call.ts';
import { type Json, at, jsonAt, listAt, numberAt, textAt } from '../json.ts';
import { invalidValue } from '../schema/cause.ts';
import { type Cause, badRequest, conflict, invalid, notFound } from '../status.ts';
import { timestamp } from '../store/objects.ts';
import { type AccountTokens, type Bindable, bindable } from './accountTokens.ts';
import { apiAudiences } from './authenticator.ts';

const defaultSeconds = 3_600;
const fewestSeconds = 600;
const mostSeconds = 2 ** 32;

/** `kubectl create token`: a token for the service account of the call. */
export function requestToken(call: Call, tokens: AccountTokens, asked: Json): Json {
  const { store, namespace, name } = call;
  const account = store.get({ bucket: '/serviceaccounts', namespace, name: name ?? '' });
  if (!account) throw notFound(call.type, name ?? '');
  const spec = jsonAt(asked, 'spec');
  const expirationSeconds = numberAt(spec, 'expirationSeconds') || defaultSeconds;
  const causes = [...durationFaults(expirationSeconds), ...nameFaults(call, asked)];
  if (causes.length > 0)
    throw invalid('authentication.k8s.io', 'TokenRequest', textAt(asked, 'metadata', 'name'), causes);
  const audiences = listAt(spec, 'audiences').map(String);
  const wished = audiences.length > 0 ? audiences : apiAudiences;
  const bound = boundOf(call, at(spec, 'boundObjectRef'));
  const { token, expiresMs } = tokens.issue(account, {
    audiences: wished,
    seconds: expirationSeconds,
    ...(bound && { bound }),
  });
  return {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name, namespace, creationTimestamp: timestamp() },
    spec: { audiences: wished, expirationSeconds, boundObjectRef: at(spec, 'boundObjectRef') ?? null },
    status: { token, expirationTimestamp: timestamp(expiresMs) },
  };
}

function durationFaults(seconds: number): readonly Cause[] {
  const refuse = (why: string) => [invalidValue('spec.expirationSeconds', seconds, why)];
  if (seconds < fewestSeconds) return refuse('may not specify a duration less than 10 minutes');
  return seconds > mostSeconds ? refuse('may not specify a duration larger than 2^32 seconds') : [];
}

function nameFaults({ name, namespace }: Call, asked: Json): readonly Cause[] {
  const given = (['name', 'namespace'] as const).map((field) => textAt(asked, 'metadata', field));
  return [
    ...(given[0] === '' || given[0] === name
      ? []
      : [invalidValue('metadata.name', given[0], 'must match the service account name if specified')]),
    ...(given[1] === '' || given[1] === namespace
      ? []
      : [invalidValue('metadata.namespace', given[1], 'must match the service account namespace if specified')]),
  ];
}

/** The object with which the token is to end. */
function boundOf({ store, namespace, name }: Call, ref: unknown): { kind: Bindable; object: Stored } | null {
  if (ref === undefined || ref === null) return null;
  const kind = textAt(ref, 'kind');
  const apiVersion = textAt(ref, 'apiVersion');
  if (apiVersion !== 'v1' || !isBindable(kind))
    throw badRequest(`cannot bind token to object of type ${apiVersion}, Kind=${kind}`);
  const bucket = bindable[kind];
  const resource = { group: '', plural: bucket.slice(1) };
  const wanted = textAt(ref, 'name');
  const object = store.get({ bucket, namespace: kind === 'Node' ? '' : namespace, name: wanted });
  if (!object) throw notFound(resource, wanted);
  const runsAs = textAt(object, 'spec', 'serviceAccountName');
  if (kind === 'Pod' && runsAs !== name)
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(name)} to pod running with serviceaccount ${JSON.stringify(runsAs)}`,
    );
  const uid = textAt(ref, 'uid');
  if (uid !== '' && uid !== object.metadata.uid)
    throw conflict(
      { group: '', plural: kind },
      wanted,
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  return { kind, object };
}

const isBindable = (kind: string): kind is Bindable => Object.hasOwn(bindable, kind);
