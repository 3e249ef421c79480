import type { Stored } from '../../store.ts';
import { celValueOf } from '../cel/value.ts';
import { type Json, without } from '../json.ts';
import type { ResourceType } from '../kinds/type.ts';
import { type Attributes, isNamespace } from './attributes.ts';
import { type Expression, ExpressionError, type Variables } from './expression.ts';

/** What the expressions of a policy read: the write, the objects around it, and the variables of the policy. */
export interface Read {
  readonly attributes: Attributes;
  readonly matched: ResourceType;
  readonly params: Stored | null;
  readonly namespace: Stored | null;
}

/** A variable of a policy: a name for the value of an expression. */
export interface NamedExpression {
  readonly name: string;
  readonly expression: Expression;
}

/** What expressions are evaluated over; each variable is made once, when it is first asked for. */
export function inputOf(
  { attributes, matched, params, namespace }: Read,
  named: readonly NamedExpression[],
): Variables {
  const variables: Record<string, unknown> = {};
  const input: Variables = {
    object: celValueOf(attributes.object),
    oldObject: celValueOf(attributes.oldObject),
    request: requestOf(attributes, matched),
    namespaceObject: namespace && celValueOf(shownNamespace(namespace)),
    params: celValueOf(params),
    variables,
  };
  for (const { name, expression } of named)
    Object.defineProperty(variables, name, {
      enumerable: true,
      configurable: true,
      get: once(name, expression, input),
    });
  return input;
}

function once(name: string, expression: Expression, input: Variables): () => unknown {
  let known: { readonly value: unknown } | null = null;
  return () => {
    try {
      known ??= { value: expression.evaluate(input) };
      return known.value;
    } catch (why) {
      const words = why instanceof Error ? why.message.replace(/^expression '[^]*?' resulted in error: /, '') : '';
      throw new ExpressionError(`composited variable ${JSON.stringify(name)} fails to evaluate: ${words}`);
    }
  };
}

/** The namespace of the write; a Namespace itself is in none. */
export const namespaceOf = (attributes: Attributes) => (isNamespace(attributes) ? '' : attributes.namespace);

const shownNamespace = ({ metadata, spec, status }: Stored): Json => ({
  metadata: without(metadata as unknown as Json, 'managedFields', 'ownerReferences'),
  spec,
  status,
});

const requestOf = (
  { operation, type, subresource, kind, namespace, name, dryRun, user }: Attributes,
  to: ResourceType,
) => ({
  kind: to === type ? kind : { group: to.group, version: to.version, kind: to.kind },
  resource: { group: to.group, version: to.version, resource: to.plural },
  subResource: subresource,
  requestKind: kind,
  requestResource: { group: type.group, version: type.version, resource: type.plural },
  requestSubResource: subresource,
  name,
  namespace,
  operation,
  userInfo: user,
  dryRun,
  options: {},
});
