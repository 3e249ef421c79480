import type { AppSpec, CoreApp } from '../../crds/coreApp.ts';
import type { KubeObject } from '../../crds/kind.ts';
import type { Settled } from './settled.ts';

export interface ServiceObject extends KubeObject {
  readonly kind:
    | 'ConfigMap'
    | 'Secret'
    | 'Service'
    | 'Ingress'
    | 'HorizontalPodAutoscaler'
    | 'Deployment'
    | 'InterceptorRoute'
    | 'ScaledObject'
    | 'CronJob';
  readonly type?: string;
  readonly spec?: object;
  readonly data?: Readonly<Record<string, string>>;
}

/** The common input of a service's objects. */
export interface Part {
  readonly app: CoreApp;
  readonly spec: AppSpec;
  readonly settled: Settled;
  readonly metadata: { readonly namespace: string; readonly labels: Readonly<Record<string, string>> };
}
