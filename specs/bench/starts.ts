import { spawnSync } from 'node:child_process';

const env = { PATH: process.env['PATH'], CORE_CONFIG: '/nonexistent/core.json' };

/** How long a run of Node takes from its start to its end. */
export function startMs(args: readonly string[]): number {
  const startedAt = performance.now();
  spawnSync(process.execPath, args, { env });
  return performance.now() - startedAt;
}
