import type { KubeObject } from './kind.ts';

// The parts of built-in Kubernetes kinds that Core reads.

export interface Secret extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

export interface ContainerStatus {
  readonly name: string;
  readonly state?: {
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly terminated?: { readonly exitCode: number; readonly reason?: string; readonly message?: string };
  };
}

export interface Pod extends KubeObject {
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
    readonly containerStatuses?: readonly ContainerStatus[];
  };
}

export interface KubeEvent extends KubeObject {
  readonly involvedObject: { readonly uid?: string };
  readonly reason?: string;
  readonly message?: string;
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
}

export interface Job extends KubeObject {
  readonly spec: object;
  readonly status?: {
    readonly failed?: number;
    readonly succeeded?: number;
    readonly completionTime?: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly lastTransitionTime?: string;
    }[];
  };
}
