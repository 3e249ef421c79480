import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/product.ts';

/** Folder of the scripts that start real servers, beside the checkout; CORE_CLUSTER_TOOLS names another. */
export const tools = process.env['CORE_CLUSTER_TOOLS'] ?? join(root, '../shared/tools');

const programs = [
  'runc',
  'docker-registry',
  'iptables',
  'conntrack',
  'busybox',
  'openssl',
  'ip',
  'xz',
  'python3',
  'curl',
];

const lacks = (program: string) => spawnSync('which', [program]).status !== 0;

/** Why no cluster can be started on this machine; null where it can. */
export function noCluster(): string | null {
  if (!existsSync(join(tools, 'realcluster/up.sh'))) return `${tools}/realcluster is not there`;
  if (process.getuid?.() !== 0) return 'a cluster on this machine needs root';
  const missing = programs.filter(lacks);
  return missing.length === 0 ? null : `not installed: ${missing.join(', ')}`;
}

/** Why a step is skipped that needs these programs; null where they are installed. */
export function noPrograms(...needed: readonly string[]): string | null {
  const missing = needed.filter(lacks);
  return missing.length === 0 ? null : `not installed: ${missing.join(', ')}`;
}
