import type { GitApp } from './gitApp.ts';

/** What the main thread gives the worker that runs the embedded cluster. */
export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly host: string;
  readonly kubePort: number;
  readonly gitPort: number;
  readonly nodes: 'simulated' | 'manual';
  readonly webhookUrl: string | null;
  readonly app: GitApp;
}

/** Where the embedded cluster is reached. */
export interface EmbeddedEndpoints {
  readonly kubernetes: string;
  readonly kubeconfig: string;
  readonly gitApi: string;
  readonly gitUrl: string;
}

export type FromWorker =
  | { readonly is: 'started'; readonly endpoints: EmbeddedEndpoints }
  | { readonly is: 'failed'; readonly why: string }
  | { readonly is: 'stopped' };

export type ToWorker = { readonly is: 'stop' } | { readonly is: 'webhookUrl'; readonly url: string };
