import type { Cause } from '../status.ts';

/** The faults of a field in the words of the API. */
export const required = (field: string, why = ''): Cause => ({
  field,
  reason: 'FieldValueRequired',
  message: `Required value${why === '' ? '' : `: ${why}`}`,
});

export const invalidValue = (field: string, value: unknown, why: string): Cause => ({
  field,
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${shown(value)}: ${why}`,
});

/** A fault without a field. */
export const unplaced = (why: string): Cause => ({
  field: '<nil>',
  reason: 'FieldValueInvalid',
  message: `Invalid value: "": ${why}`,
});

export const typeInvalid = (field: string, shownAs: string, type: string): Cause => ({
  field,
  reason: 'FieldValueTypeInvalid',
  message: `Invalid value: ${JSON.stringify(shownAs)}: ${field} in body must be of type ${type}: ${JSON.stringify(shownAs)}`,
});

/** An object or a list is shown whole. */
export const invalidObject = (field: string, value: unknown, why: string): Cause => ({
  field,
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${JSON.stringify(value)}: ${why}`,
});

export const notSupported = (field: string, value: unknown, values: readonly unknown[]): Cause => ({
  field,
  reason: 'FieldValueNotSupported',
  message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${values.map((one) => JSON.stringify(one)).join(', ')}`,
});

export const duplicate = (field: string, value: unknown): Cause => ({
  field,
  reason: 'FieldValueDuplicate',
  message: `Duplicate value: ${JSON.stringify(value)}`,
});

export const tooLong = (field: string, limit: number): Cause => ({
  field,
  reason: 'FieldValueTooLong',
  message: `Too long: may not be more than ${limit} bytes`,
});

export const tooMany = (field: string, count: number, limit: number): Cause => ({
  field,
  reason: 'FieldValueTooMany',
  message: `Too many: ${count}: must have at most ${limit} items`,
});

export const forbiddenField = (field: string, why: string): Cause => ({
  field,
  reason: 'FieldValueForbidden',
  message: `Forbidden: ${why}`,
});

/** The JSON type of a value, with `integer` apart from `number`. */
export function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

const shown = (value: unknown) =>
  typeof value === 'object' || value === undefined ? `"${typeName(value ?? null)}"` : JSON.stringify(value);
