import type { User } from '../authentication/user.ts';
import type { Call } from '../call.ts';
import { type Json, at, isJson, jsonAt, listAt, textAt } from '../json.ts';
import { invalidValue, required } from '../schema/cause.ts';
import { type Cause, badRequest, invalid } from '../status.ts';
import type { Attributes } from './attributes.ts';
import type { PolicyRule } from './rule.ts';

type Reviewed = Pick<Call, 'type' | 'caller' | 'namespace'>;

/** `kubectl auth can-i`: may whoever asks do this? */
export function selfSubjectAccess(call: Reviewed, review: Json): Json {
  const spec = jsonAt(review, 'spec');
  check(call, attributeFaults(spec));
  return { ...whole(review), spec, status: answered(call, call.caller.user, spec) };
}

/** May somebody else do this? */
export function subjectAccess(call: Reviewed, review: Json): Json {
  const spec = jsonAt(review, 'spec');
  check(call, [...attributeFaults(spec), ...subjectFaults(spec)]);
  return { ...whole(review), spec, status: answered(call, subjectOf(spec), spec) };
}

/** May somebody else do this in the namespace of the review? */
export function localSubjectAccess(call: Reviewed, review: Json): Json {
  const spec = jsonAt(review, 'spec');
  const elsewhere = at(spec, 'nonResourceAttributes') !== undefined;
  const faults = elsewhere
    ? [
        invalidValue(
          'spec.nonResourceAttributes',
          at(spec, 'nonResourceAttributes'),
          'disallowed on this kind of request',
        ),
      ]
    : [];
  check(call, [...attributeFaults(spec), ...subjectFaults(spec), ...faults]);
  if (textAt(spec, 'resourceAttributes', 'namespace') !== call.namespace)
    throw badRequest(`spec.resourceAttributes.namespace must match namespace: ${call.namespace}`);
  return { ...whole(review), spec, status: answered(call, subjectOf(spec), spec) };
}

/** `kubectl auth can-i --list`: everything that whoever asks may do in a namespace. */
export function selfSubjectRules({ caller: { user, policy } }: Reviewed, review: Json): Json {
  const namespace = textAt(review, 'spec', 'namespace');
  if (namespace === '') throw badRequest('no namespace on request');
  const rules = policy.rulesFor(user, namespace);
  const resourceRules = rules.filter(({ resources }) => resources.length > 0).map(resourceRule);
  const nonResourceRules = rules
    .filter(({ nonResourceURLs }) => nonResourceURLs.length > 0)
    .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs }));
  return { ...whole(review), status: { resourceRules, nonResourceRules, incomplete: false } };
}

/** Nobody stores a review: it has no time of birth. */
const whole = (review: Json): Json => ({
  ...review,
  metadata: { creationTimestamp: null, ...jsonAt(review, 'metadata') },
});

const resourceRule = ({ verbs, apiGroups, resources, resourceNames }: PolicyRule) => ({
  verbs,
  apiGroups,
  resources,
  ...(resourceNames.length > 0 && { resourceNames }),
});

function check({ type }: Reviewed, causes: readonly Cause[]): void {
  if (causes.length > 0) throw invalid(type.group, type.kind, '', causes);
}

function attributeFaults(spec: Json): readonly Cause[] {
  const [resource, path] = [spec['resourceAttributes'], spec['nonResourceAttributes']].map(isJson);
  if (resource === path)
    return resource
      ? [
          invalidValue(
            'spec.nonResourceAttributes',
            spec['nonResourceAttributes'],
            'cannot be specified in combination with resourceAttributes',
          ),
        ]
      : [
          invalidValue(
            'spec.resourceAttributes',
            null,
            'exactly one of nonResourceAttributes or resourceAttributes must be specified',
          ),
        ];
  return [];
}

function subjectFaults(spec: Json): readonly Cause[] {
  const groups = listAt(spec, 'groups');
  const nobody = textAt(spec, 'user') === '' && groups.length === 0;
  return [
    ...(nobody ? [invalidValue('spec.user', '', 'at least one of user or group must be specified')] : []),
    ...groups.flatMap((name, index) => (name === '' ? [required(`spec.groups[${index}]`)] : [])),
  ];
}

const subjectOf = (spec: Json): User => ({
  name: textAt(spec, 'user'),
  groups: listAt(spec, 'groups').map(String),
});

function answered({ caller: { policy } }: Reviewed, user: User, spec: Json): Json {
  const { allowed, reason } = policy.decide(user, attributesOf(spec));
  return { allowed, ...(reason !== '' && { reason }) };
}

/** What a review asks about; a star stands for everything and is allowed by nothing less. */
function attributesOf(spec: Json): Attributes {
  const path = spec['nonResourceAttributes'];
  if (isJson(path)) return { is: 'path', verb: textAt(path, 'verb'), path: textAt(path, 'path') };
  const asked = spec['resourceAttributes'];
  return {
    is: 'resource',
    verb: textAt(asked, 'verb'),
    group: textAt(asked, 'group'),
    resource: textAt(asked, 'resource'),
    subresource: textAt(asked, 'subresource'),
    namespace: textAt(asked, 'namespace'),
    name: textAt(asked, 'name'),
  };
}
