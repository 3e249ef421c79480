import type { Stored } from '../../store.ts';
import { typedValue, untypedValue } from '../cel/evaluate/adapt.ts';
import { EvaluationError, Struct } from '../cel/evaluate/values.ts';
import { Authorizer, ResourceCheck } from '../cel/functions/authorization.ts';
import { type Json, without } from '../json.ts';
import type { ResourceType } from '../kinds/type.ts';
import type { Schema } from '../schema/schema.ts';
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

/** The variables of a policy; each is made once, when it is first asked for. */
class Made extends Struct {
  readonly #known = new Map<string, unknown>();
  readonly #named: ReadonlyMap<string, Expression>;
  readonly #input: () => Variables;
  constructor(named: readonly NamedExpression[], input: () => Variables) {
    super();
    this.#named = new Map(named.map(({ name, expression }) => [name, expression]));
    this.#input = input;
  }
  override get(name: string): unknown {
    const expression = this.#named.get(name);
    if (!this.#known.has(name) && expression) this.#known.set(name, this.#make(name, expression));
    return this.#known.get(name);
  }
  #make(name: string, expression: Expression): unknown {
    try {
      return expression.evaluate(this.#input());
    } catch (why) {
      if (!(why instanceof ExpressionError)) throw why;
      const words = why.message.replace(/^expression '[^]*?' resulted in error: /, '');
      throw new EvaluationError(`composited variable ${JSON.stringify(name)} fails to evaluate: ${words}`);
    }
  }
  override equals(other: Struct): boolean {
    return other === this;
  }
}

/** What expressions are evaluated over. */
export function inputOf(
  { attributes, matched, params, namespace }: Read,
  named: readonly NamedExpression[],
): Variables {
  const authorizer = new Authorizer(attributes.decide);
  const input: Variables = {
    object: untypedValue(attributes.object),
    oldObject: untypedValue(attributes.oldObject),
    request: untypedValue(requestOf(attributes, matched)),
    namespaceObject: namespace && typedValue(namespaceSchema, shownNamespace(namespace)),
    params: untypedValue(params),
    variables: new Made(named, () => input),
    authorizer,
    'authorizer.requestResource': new ResourceCheck(authorizer, {
      group: attributes.type.group,
      resource: attributes.type.plural,
      subresource: attributes.subresource,
      namespace: attributes.namespace,
      name: attributes.name,
    }),
  };
  return input;
}

const moment: Schema = { type: 'string', format: 'date-time' };
const text: Schema = { type: 'string' };
const texts: Schema = { type: 'object', additionalProperties: text };
const list = (items: Schema): Schema => ({ type: 'array', items });
const object = (properties: Readonly<Record<string, Schema>>): Schema => ({ type: 'object', properties });

const condition = object({ status: text, type: text, lastTransitionTime: moment, message: text, reason: text });
const namespaceSchema = object({
  metadata: object({
    ...Object.fromEntries(['name', 'generateName', 'UID', 'resourceVersion'].map((name) => [name, text])),
    labels: texts,
    annotations: texts,
    creationTimestamp: moment,
    deletionTimestamp: moment,
    generation: { type: 'integer' },
    finalizers: list(text),
  }),
  spec: object({ finalizers: list(text) }),
  status: object({ conditions: list(condition), phase: text }),
});

/** The namespace of the write; a Namespace itself is in none. */
export const namespaceOf = (attributes: Attributes) => (isNamespace(attributes) ? '' : attributes.namespace);

const shownNamespace = ({ metadata, spec, status }: Stored): Json => ({
  metadata: { ...without(metadata as unknown as Json, 'managedFields', 'ownerReferences'), UID: metadata.uid },
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
