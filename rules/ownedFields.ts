/**
 * What passes write of objects that git may keep, besides status, finalizers and annotations of Core, as JSON pointers by
 * kind: nothing else. What a person asks for over the API or the dashboard is that person's change.
 */
export const ownedFields = {
  /** The hostname of the tunnel that Core made. */
  CorePlatformConfig: ['/spec/tunnelCNAMETarget'],
  /** A pull request opens an environment and closes it (GIT-011). */
  CoreProject: ['/spec/environments'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
