import { opaque } from '../functions/opaqueTypes.ts';
import {
  type CelType,
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  nullType,
  opaqueType,
  optionalOf,
  stringType,
  timestampType,
  typeOf,
  uintType,
} from '../types/type.ts';
import { Duration, Opaque, Optional, Timestamp, TypeValue, Uint, isList, isMap } from './values.ts';

const anyList = listOf(dynType);
const anyMap = mapOf(dynType, dynType);
const anyOptional = optionalOf(dynType);
const anyType = typeOf(dynType);
const struct = opaqueType('object');

/** The type that a value has by itself: what is inside lists and maps may be anything. */
export function typeOfValue(value: unknown): CelType {
  switch (typeof value) {
    case 'string':
      return stringType;
    case 'bigint':
      return intType;
    case 'number':
      return doubleType;
    case 'boolean':
      return boolType;
    default:
      return value === null || value === undefined ? nullType : typeOfObject(value);
  }
}

function typeOfObject(value: unknown): CelType {
  if (isList(value)) return anyList;
  if (isMap(value)) return anyMap;
  if (value instanceof Timestamp) return timestampType;
  if (value instanceof Duration) return durationType;
  if (value instanceof Uint8Array) return bytesType;
  if (value instanceof Uint) return uintType;
  if (value instanceof Optional) return anyOptional;
  if (value instanceof TypeValue) return anyType;
  return value instanceof Opaque ? (opaque[value.typeName] ?? struct) : struct;
}

/** The name of the type of a value, for messages. */
export const typeNameOf = (value: unknown): string => new TypeValue(typeOfValue(value)).name;
