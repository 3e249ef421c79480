import type { Schema, ValidationRule } from '../../crds/schema.ts';
import { ruleScope } from '../../runtime/embedded/api/schema/ruleScope.ts';

/** Where a rule stands. */
interface Place {
  readonly at: string;
  /** Whether how often it is evaluated has a limit. */
  readonly bounded: boolean;
  /** Whether the value before can be told: not of the items of a list that are known by their place alone. */
  readonly traced: boolean;
}

const start: Place = { at: '', bounded: true, traced: true };

/** Why a kube-apiserver would refuse the rules of a schema: by their types, their cost, or what they look back at. */
export function celFaults(schema: Schema, place: Place = start): readonly string[] {
  const whole = place.at === '' ? withMetadata(schema) : schema;
  const own = (schema['x-kubernetes-validations'] ?? []).flatMap((rule) =>
    faultsOf(rule, whole, place).map((text) => `${place.at || 'root'}: ${text}`),
  );
  return [...own, ...below(schema, place)];
}

function below({ properties, items, additionalProperties, ...schema }: Schema, place: Place): readonly string[] {
  const under = (name: string) => (place.at === '' ? name : `${place.at}.${name}`);
  const inside = Object.entries(properties ?? {}).flatMap(([name, inner]) =>
    celFaults(inner, { ...place, at: under(name) }),
  );
  const bounded = place.bounded && schema.maxItems !== undefined;
  const traced = place.traced && schema['x-kubernetes-list-type'] === 'map';
  const ofItems = items ? celFaults(items, { at: `${place.at}[]`, bounded, traced }) : [];
  const ofValues = additionalProperties
    ? celFaults(additionalProperties, { ...place, at: `${place.at}{}`, bounded: false })
    : [];
  return [...inside, ...ofItems, ...ofValues];
}

/** What a rule at the root can always reach. */
const withMetadata = (schema: Schema): Schema => ({
  ...schema,
  properties: {
    ...schema.properties,
    metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 253 } } },
  },
});

function faultsOf({ rule, message, fieldPath }: ValidationRule, schema: Schema, place: Place): readonly string[] {
  const faults: string[] = [];
  const type = typeFault(rule, schema);
  if (type !== null) faults.push(`${rule}: ${type}`);
  if (!place.bounded) faults.push('a rule stands in a list or map without a limit');
  if (/\boldSelf\b/.test(rule) && !place.traced) faults.push('oldSelf cannot be told here');
  if (message.trim() === '' || message.includes('\n')) faults.push('a message is one line');
  if (fieldPath !== undefined && !fieldAt(schema, fieldPath)) faults.push(`there is no field ${fieldPath}`);
  for (const path of readBy(rule)) {
    const read = fieldAt(schema, path);
    if (read && !isBounded(read)) faults.push(`self${path} has no limit of size`);
  }
  return faults;
}

/** As the API says it of a definition that is written. */
function typeFault(rule: string, schema: Schema): string | null {
  const compiled = ruleScope(schema, false).compile(rule, { rule });
  if ('why' in compiled) return compiled.why;
  return compiled.type.kind === 'bool' ? null : 'is not a bool';
}

/** The fields whose values a rule reads: whether one is there costs nothing. */
const readBy = (rule: string): readonly string[] =>
  [...rule.replaceAll(/has\([^()]*\)/g, '').matchAll(/\bself\b((?:\.\w+(?![\w(]))*)/g)].map(([, path = '']) => path);

function fieldAt(schema: Schema, path: string): Schema | undefined {
  let here: Schema | undefined = schema;
  for (const name of path.split('.').slice(1)) here = here?.properties?.[name.replaceAll(/^__|__$/g, '')];
  return here;
}

/** Whether a value has a largest size, however it is written. */
function isBounded({ type, format, enum: words, maxLength, maxItems, ...schema }: Schema): boolean {
  if (schema.additionalProperties || schema['x-kubernetes-preserve-unknown-fields']) return false;
  if (type === 'array') return maxItems !== undefined && isBounded(schema.items ?? {});
  if (type === 'object') return Object.values(schema.properties ?? {}).every(isBounded);
  return type !== 'string' || format === 'date-time' || words !== undefined || maxLength !== undefined;
}
