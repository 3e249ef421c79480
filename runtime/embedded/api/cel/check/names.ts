import { typeOfValue } from '../evaluate/typeOfValue.ts';
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
  stringType,
  timestampType,
  typeOf,
  uintType,
} from '../types/type.ts';

/** The types that expressions can name. */
export const typesByName: Readonly<Record<string, CelType>> = {
  bool: boolType,
  bytes: bytesType,
  double: doubleType,
  int: intType,
  list: listOf(dynType),
  map: mapOf(dynType, dynType),
  null_type: nullType,
  string: stringType,
  type: typeOf(dynType),
  uint: uintType,
  'google.protobuf.Timestamp': timestampType,
  'google.protobuf.Duration': durationType,
  ...opaque,
};

export const typeOfLiteral = (value: unknown): CelType => typeOfValue(value);
