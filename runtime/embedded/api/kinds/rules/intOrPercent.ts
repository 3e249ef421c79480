import { invalidValue } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';

const percent = /^[0-9]+%$/;
const percentRule =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** What is wrong with a number of pods, or a share of them in percent; nothing where there is none. */
export function intOrPercentFaults(value: unknown, field: string): readonly Cause[] {
  if (typeof value === 'number')
    return value < 0 ? [invalidValue(field, value, 'must be greater than or equal to 0')] : [];
  return typeof value === 'string' && !percent.test(value) ? [invalidValue(field, value, percentRule)] : [];
}

/** Refuses a share that is more than the whole. */
export const overWholeFaults = (value: unknown, field: string): readonly Cause[] =>
  typeof value === 'string' && percent.test(value) && Number.parseInt(value, 10) > 100
    ? [invalidValue(field, value, 'must not be greater than 100%')]
    : [];

/** Whether a number or a share is none at all. */
export const isNone = (value: unknown): boolean => value === 0 || (typeof value === 'string' && /^0+%$/.test(value));
