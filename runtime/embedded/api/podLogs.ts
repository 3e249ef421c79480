import type { Stored } from '../store.ts';

/** Where the logs of containers come from. */
export interface PodLogs {
  readonly read: (
    pod: Stored,
    container: string,
    options: { readonly tailLines?: number; readonly limitBytes?: number },
  ) => string;
  /** Each line from the first on; `ended` resolves when the container has written its last. */
  readonly follow: (
    pod: Stored,
    container: string,
    onLine: (line: string) => void,
  ) => { readonly stop: () => void; readonly ended: Promise<void> };
}
