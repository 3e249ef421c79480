/** Fields of an object that Core writes although somebody else keeps the object. */
export interface OwnedFields {
  /** The API group; empty for the core one. */
  readonly group: string;
  readonly kind: string;
  /** JSON pointers. */
  readonly pointers: readonly string[];
  readonly because: string;
}

const group = 'core.platform';

/**
 * What passes write of objects that git may keep, besides status, finalizers and annotations of Core: nothing else. What a
 * person asks for over the API or the dashboard is that person's change.
 */
export const ownedFields: readonly OwnedFields[] = [
  {
    group,
    kind: 'CorePlatformConfig',
    pointers: ['/spec/tunnelCNAMETarget'],
    because: 'the hostname of the tunnel that Core made',
  },
  {
    group,
    kind: 'CoreProject',
    pointers: ['/spec/environments'],
    because: 'a pull request opens an environment and closes it (GIT-011)',
  },
];
