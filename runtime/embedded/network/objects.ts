import type { LabelSelector } from '../nodes/expression.ts';

type Labels = Readonly<Record<string, string>>;

/** A Service, as far as the network needs it. */
export interface NetworkService {
  readonly is: 'service';
  readonly namespace: string;
  readonly name: string;
  /** Empty where it has none, `None` where it is headless. */
  readonly clusterIP: string;
  /** Empty but for an alias of a name elsewhere. */
  readonly externalName: string;
  /** Whether one client keeps to one endpoint. */
  readonly sticky: boolean;
  readonly ports: readonly NetworkServicePort[];
}

export interface NetworkServicePort {
  readonly name: string;
  readonly protocol: string;
  readonly port: number;
  /** 0 where nodes open none. */
  readonly nodePort: number;
}

export interface NetworkSlice {
  readonly is: 'slice';
  readonly namespace: string;
  readonly service: string;
  readonly ports: readonly { readonly name: string; readonly protocol: string; readonly port: number }[];
  readonly endpoints: readonly NetworkEndpoint[];
}

export interface NetworkEndpoint {
  readonly ip: string;
  readonly ready: boolean;
  /** Answers still, though it is about to end. */
  readonly draining: boolean;
  readonly hostname: string;
}

export interface NetworkPod {
  readonly is: 'pod';
  readonly namespace: string;
  readonly name: string;
  readonly labels: Labels;
  readonly ip: string;
  /** The number of each named port, by `<protocol>/<name>`. */
  readonly ports: Readonly<Record<string, number>>;
}

export interface NetworkNamespace {
  readonly is: 'namespace';
  readonly name: string;
  readonly labels: Labels;
}

export interface PolicyPeer {
  readonly podSelector?: LabelSelector;
  readonly namespaceSelector?: LabelSelector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

export interface PolicyPort {
  readonly protocol?: string;
  readonly port?: number | string;
  readonly endPort?: number;
}

export interface PolicySpec {
  readonly podSelector?: LabelSelector;
  readonly policyTypes?: readonly string[];
  readonly ingress?: readonly { readonly from?: readonly PolicyPeer[]; readonly ports?: readonly PolicyPort[] }[];
  readonly egress?: readonly { readonly to?: readonly PolicyPeer[]; readonly ports?: readonly PolicyPort[] }[];
}

export interface NetworkPolicy {
  readonly is: 'policy';
  readonly namespace: string;
  readonly spec: PolicySpec;
}

export interface IngressBackend {
  readonly service?: {
    readonly name?: string;
    readonly port?: { readonly name?: string; readonly number?: number };
  };
}

export interface IngressSpec {
  readonly tls?: readonly { readonly hosts?: readonly string[]; readonly secretName?: string }[];
  readonly defaultBackend?: IngressBackend;
  readonly rules?: readonly {
    readonly host?: string;
    readonly http?: {
      readonly paths?: readonly {
        readonly path?: string;
        readonly pathType?: string;
        readonly backend?: IngressBackend;
      }[];
    };
  }[];
}

export interface NetworkIngress {
  readonly is: 'ingress';
  readonly namespace: string;
  readonly name: string;
  readonly createdAt: string;
  readonly spec: IngressSpec;
}

/** For which hosts requests are taken and held for a Service that may have no pod. */
export interface NetworkWakeRoute {
  readonly is: 'wakeRoute';
  readonly namespace: string;
  readonly name: string;
  readonly hosts: readonly string[];
  readonly backend: IngressBackend;
}

/** A certificate with its key, in PEM. */
export interface NetworkCertificate {
  readonly is: 'certificate';
  readonly namespace: string;
  readonly name: string;
  readonly cert: string;
  readonly key: string;
}

/** What the network knows of one object of the API: only what it acts upon. */
export type NetworkObject =
  | NetworkService
  | NetworkSlice
  | NetworkPod
  | NetworkNamespace
  | NetworkPolicy
  | NetworkIngress
  | NetworkWakeRoute
  | NetworkCertificate;
