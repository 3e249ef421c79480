import { execFileSync, spawnSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../crds/kind.ts';
import { root } from './product.ts';

/** The programs that specs call as Helm: those that CORE_HELM names, separated by colons, else that on the PATH. */
export const helms: readonly string[] = (process.env['CORE_HELM'] || 'helm').split(':').filter((path) => path !== '');

/** Why Helm cannot be used here; null when it can. */
export function noHelm(): string | null {
  try {
    for (const helm of helms) execFileSync(helm, ['version'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'there is no helm, on the PATH or where CORE_HELM says';
  }
}

/** A rendered object with any fields. */
export type Rendered = KubeObject & Readonly<Record<string, unknown>>;

/** The objects of a text of YAML documents, read as Kubernetes' clients read it; an empty document is none. */
export const objectsIn = (text: string): readonly Rendered[] =>
  parseAllDocuments(text, { version: '1.1' })
    .map((document) => document.toJS() as Rendered | null)
    .filter((object) => object !== null);

/** What `helm template` of a chart prints and why it fails, empty where it does not. */
export function template(helm: string, chart: string, ...args: readonly string[]) {
  const { stdout, stderr, status } = spawnSync(helm, ['template', 'core', chart, ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 24,
  });
  return { text: stdout, failure: status === 0 ? '' : stderr };
}
