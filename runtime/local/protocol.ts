import type { GitApp } from '../gitHost/app.ts';
import type { UncaughtFrom } from '../services/uncaught.ts';
import type { CloudKey } from './cloud/account.ts';

/** The options for the worker that runs the embedded cluster. */
export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly host: string;
  readonly kubePort: number;
  readonly gitPort: number;
  readonly cloudPort: number;
  readonly ingressPort: number;
  readonly ingressTlsPort: number | undefined;
  readonly nodes: 'simulated' | 'podman' | 'manual';
  readonly podmanSocket: string | undefined;
  /** Where commands of containers run: in a simulated shell, or as processes of this machine. */
  readonly exec: 'simulated' | 'local';
  readonly webhookUrl: string | null;
}

/** The endpoints of the embedded cluster. */
interface EmbeddedEndpoints {
  readonly kubernetes: string;
  /** For the admin. */
  readonly kubeconfig: string;
  /** For the operator, with its own account. */
  readonly operatorKubeconfig: string;
  readonly gitApi: string;
  readonly gitUrl: string;
  /** The API of the simulated provider of managed databases; null when it is not simulated. */
  readonly managedDb: string | null;
  /** S3 and IAM. */
  readonly cloud: string;
  /** The Prometheus-compatible endpoint of the usage of pods; null when there is none. */
  readonly usage: string | null;
}

/** Notifications of an embedded cluster, which may run in this thread or in another. */
export interface EmbeddedListeners {
  /** The platform's namespace is new and empty. */
  readonly renewed: () => void;
  /** An uncaught error was logged. */
  readonly uncaught: (from: UncaughtFrom) => void;
}

export interface Embedded {
  readonly endpoints: EmbeddedEndpoints;
  readonly app: GitApp;
  readonly cloudKey: CloudKey;
  /** Sets where the Git host delivers pushes. */
  readonly deliverTo: (webhookUrl: string) => void;
  readonly stop: () => Promise<void>;
}

export type FromWorker =
  | { readonly is: 'started'; readonly endpoints: EmbeddedEndpoints; readonly app: GitApp; readonly cloudKey: CloudKey }
  | { readonly is: 'failed'; readonly why: string }
  /** The platform's namespace or account was removed and recreated; other contents of the namespace were not. */
  | { readonly is: 'renewed' }
  /** An uncaught error was logged. */
  | { readonly is: 'uncaught'; readonly from: UncaughtFrom }
  /** The data directory cannot be used. */
  | { readonly is: 'badData'; readonly why: string };

export type ToWorker = { readonly is: 'stop' } | { readonly is: 'webhookUrl'; readonly url: string };
