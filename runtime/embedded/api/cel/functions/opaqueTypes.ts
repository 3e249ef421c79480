import { type CelType, opaqueType } from '../types/type.ts';

const names = [
  'kubernetes.Quantity',
  'kubernetes.URL',
  'kubernetes.NamedFormat',
  'kubernetes.Semver',
  'net.IP',
  'net.CIDR',
  'kubernetes.authorization.Authorizer',
  'kubernetes.authorization.PathCheck',
  'kubernetes.authorization.GroupCheck',
  'kubernetes.authorization.ResourceCheck',
  'kubernetes.authorization.Decision',
];

/** The types of values that only functions make and read, by their names. */
export const opaque: Readonly<Record<string, CelType>> = Object.fromEntries(
  names.map((name) => [name, opaqueType(name)]),
);
