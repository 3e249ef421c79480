/**
 * Settings that never replace pods: they are read from the current spec, even while other changes wait for a deploy.
 */
export const atOncePaths: readonly string[] = [
  'spec.replicas',
  'spec.autoscaling',
  'spec.scaleToZero',
  'spec.networking.host',
  'spec.networking.tls',
  'spec.backup',
];

const within = (path: string, setting: string) => path === setting || path.startsWith(`${setting}.`);

/** Whether a change of this path applies at once. */
export const isAtOnce = (path: string): boolean => atOncePaths.some((setting) => within(path, setting));

/** Whether a change of one of these paths waits for a deploy. */
export const someWait = (paths: readonly string[]): boolean => paths.some((path) => !isAtOnce(path));
