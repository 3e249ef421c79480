import { type CelType, isSame } from '../types/type.ts';
import { typeOfValue } from './typeOfValue.ts';
import { isList } from './values.ts';

/** Whether a value can be given where a type is wanted; of what is inside a list, its first item is looked at. */
export function matchesType(wanted: CelType, value: unknown): boolean {
  if (wanted.kind === 'parameter' || wanted.kind === 'dyn') return true;
  const found = typeOfValue(value);
  if (wanted.kind !== found.kind) return false;
  if (wanted.kind === 'list' && isList(value))
    return value.length === 0 || matchesType(wanted.of[0] ?? found, value[0]);
  return wanted.kind !== 'object' || isSame(wanted, found);
}
