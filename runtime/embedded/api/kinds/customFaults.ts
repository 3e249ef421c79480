import { type Json, at, isJson } from '../json.ts';
import { invalidValue } from '../schema/cause.ts';
import { repeated } from '../schema/listTypes.ts';
import { brokenRules, hasRules } from '../schema/rules.ts';
import { faultsOf } from '../schema/validate.ts';
import type { Cause } from '../status.ts';
import type { CustomParts } from './type.ts';

/** Faults after which rules in CEL could meet values of another shape than they are written for. */
const blocking: readonly Cause['reason'][] = [
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
];

const unchecked: Cause = {
  field: '<nil>',
  reason: 'FieldValueInvalid',
  message:
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
};

interface CheckedObject {
  /** What is wrong with the metadata. */
  readonly metadata: readonly Cause[];
  readonly warn: (text: string) => void;
}

/** What is wrong with an object of a kind that was declared, listed behind the faults of its metadata. */
export function customFaults(
  custom: CustomParts,
  object: Json,
  old: Json | undefined,
  { metadata, warn }: CheckedObject,
): readonly Cause[] {
  const { schema } = custom;
  const faults = [
    ...metadata,
    ...faultsOf(schema, object, '', old),
    ...scaleFaults(custom, object),
    ...repeated(schema, object, ''),
  ];
  if (!hasRules(schema)) return faults;
  const isBlocked = faults.some(({ reason }) => blocking.includes(reason));
  if (isBlocked) return [...faults, unchecked];
  const broken = brokenRules(schema, object, old);
  for (const { field, message } of broken.old) warn(`${field}: ${message}`);
  return [...faults, ...broken.faults];
}

const mostReplicas = 2 ** 31 - 1;

/** The numbers that a scale is read from are numbers of replicas. */
function scaleFaults({ scale }: CustomParts, object: Json): readonly Cause[] {
  if (!scale) return [];
  return [scale.specReplicasPath, scale.statusReplicasPath].flatMap((path) => {
    const value = replicasAt(object, path);
    if (typeof value === 'string') return [invalidValue(path, 0, value)];
    if (value < 0) return [invalidValue(path, value, 'should be a non-negative integer')];
    return value > mostReplicas ? [invalidValue(path, value, `should be less than or equal to ${mostReplicas}`)] : [];
  });
}

/** The number at a path, or why there is none. */
function replicasAt(object: Json, path: string): number | string {
  const steps = path.split('.').filter((step) => step !== '');
  const holder = at(object, ...steps.slice(0, -1));
  if (holder !== undefined && !isJson(holder))
    return `${path} accessor error: ${goText(holder)} is of the type ${goType(holder)}, expected map[string]interface{}`;
  const value = at(object, ...steps);
  if (value === undefined) return 0;
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  return `${path} accessor error: ${goText(value)} is of the type ${goType(value)}, expected int64`;
}

const goText = (value: unknown) => (Array.isArray(value) ? `[${value.join(' ')}]` : String(value));

function goType(value: unknown): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : 'map[string]interface {}';
}
