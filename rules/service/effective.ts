import type { AppSpec } from '../../crds/coreApp.ts';

/** `spec.port`, else 8080. */
export const portOf = ({ port = 8080 }: Pick<AppSpec, 'port'>): number => port;

export const isAutoscaled = ({ autoscaling }: AppSpec): boolean => autoscaling?.enabled === true;

/** The requested replicas; the minimum of an autoscaled service. */
export const replicasOf = (spec: AppSpec): number =>
  isAutoscaled(spec) ? (spec.autoscaling?.min ?? usual.fewest) : (spec.replicas ?? 1);

export const sourceOf = ({ source }: AppSpec): 'image' | 'git' | 'function' => {
  if (source.git) return 'git';
  return source.function ? 'function' : 'image';
};

/** The defaults of omitted numbers. */
export const usual = { fewest: 1, most: 10, cpuPercent: 80, idleSeconds: 300 } as const;

/** The most copies of an autoscaled service. */
export const maxCopies = ({ min = usual.fewest, max }: NonNullable<AppSpec['autoscaling']>): number =>
  max ?? Math.max(min, usual.most);

/** The most copies of a service that may sleep. */
export const maxAwake = ({ replicas = 1, scaleToZero }: Pick<AppSpec, 'replicas' | 'scaleToZero'>): number =>
  scaleToZero?.maxReplicas ?? Math.max(replicas, 1);

/** Whether the host is served over HTTPS, if it can have a certificate. */
export const wantsTls = ({ networking }: Pick<AppSpec, 'networking'>): boolean => networking?.tls ?? true;
