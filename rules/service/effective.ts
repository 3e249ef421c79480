import type { AppSpec } from '../../crds/coreApp.ts';

/** `spec.port`, else 8080. */
export const portOf = ({ port = 8080 }: AppSpec): number => port;

export const isAutoscaled = ({ autoscaling }: AppSpec): boolean => autoscaling?.enabled === true;

/** The number of copies that a spec asks for; the fewest of an autoscaled service. */
export const replicasOf = (spec: AppSpec): number =>
  isAutoscaled(spec) ? (spec.autoscaling?.min ?? 1) : (spec.replicas ?? 1);

export const sourceOf = ({ source }: AppSpec): 'image' | 'git' | 'function' => {
  if (source.git) return 'git';
  return source.function ? 'function' : 'image';
};
