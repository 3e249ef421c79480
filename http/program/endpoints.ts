import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The endpoints of the running program: full URLs and an absolute path; null for a part that does not run. */
export interface Endpoints {
  readonly dashboard: string | null;
  readonly health: string | null;
  readonly metrics: string | null;
  readonly kubernetes: string | null;
  readonly kubeconfig: string | null;
  /** The kubeconfig of the operator's own account; null for a cluster that is not embedded. */
  readonly operatorKubeconfig: string | null;
  readonly gitHost: string | null;
  /** The API of the provider of managed databases. */
  readonly managedDb: string | null;
  /** S3 and IAM of the embedded cloud. */
  readonly cloud: string | null;
  readonly pid: number;
}

const pathIn = (dataDir: string) => join(dataDir, 'endpoints.json');

/** Writes the file atomically. */
export function writeEndpoints(dataDir: string, endpoints: Endpoints): void {
  writeFileSync(`${pathIn(dataDir)}.new`, `${JSON.stringify(endpoints, null, 2)}\n`);
  renameSync(`${pathIn(dataDir)}.new`, pathIn(dataDir));
}

export const removeEndpoints = (dataDir: string): void => rmSync(pathIn(dataDir), { force: true });
