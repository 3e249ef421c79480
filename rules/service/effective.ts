import type { AppSpec } from '../../crds/coreApp.ts';

/** `spec.port`, else 8080. */
export const portOf = ({ port = 8080 }: Pick<AppSpec, 'port'>): number => port;

export const isAutoscaled = ({ autoscaling }: AppSpec): boolean => autoscaling?.enabled === true;

/** The number of copies that a spec asks for; the fewest of an autoscaled service. */
export const replicasOf = (spec: AppSpec): number =>
  isAutoscaled(spec) ? (spec.autoscaling?.min ?? usual.fewest) : (spec.replicas ?? 1);

export const sourceOf = ({ source }: AppSpec): 'image' | 'git' | 'function' => {
  if (source.git) return 'git';
  return source.function ? 'function' : 'image';
};

/** What takes effect where a service leaves a number out. */
export const usual = { fewest: 1, most: 10, cpuPercent: 80, idleSeconds: 300 } as const;

/** The most copies of an autoscaled service. */
export const maxCopies = ({ min = usual.fewest, max }: NonNullable<AppSpec['autoscaling']>): number =>
  max ?? Math.max(min, usual.most);

/** The most copies of a service that may sleep. */
export const maxAwake = ({ replicas = 1, scaleToZero }: Pick<AppSpec, 'replicas' | 'scaleToZero'>): number =>
  scaleToZero?.maxReplicas ?? Math.max(replicas, 1);

/** Whether visitors are let in over HTTPS, if the host can have a certificate. */
export const wantsTls = ({ networking }: Pick<AppSpec, 'networking'>): boolean => networking?.tls ?? true;
