import {
  type CelType,
  durationType,
  dynType,
  listOf,
  mapOf,
  nullType,
  opaqueType,
  optionalOf,
  scalarTypes,
  timestampType,
  typeOf,
} from '../types/type.ts';

/** The types that expressions can name. */
export const typesByName: Readonly<Record<string, CelType>> = {
  ...scalarTypes,
  list: listOf(dynType),
  map: mapOf(dynType, dynType),
  null_type: nullType,
  type: typeOf(dynType),
  'google.protobuf.Timestamp': timestampType,
  'google.protobuf.Duration': durationType,
  optional_type: optionalOf(dynType),
  'net.IP': opaqueType('net.IP'),
  'net.CIDR': opaqueType('net.CIDR'),
};
