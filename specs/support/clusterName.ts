import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What the environment of a product has to say for an address of its cluster to lead to a port of this machine: its
 * nodes are simulated, so nothing would answer there.
 */
export function clusterNameAt(folder: string, host: string, url: string): Readonly<Record<string, string>> {
  const file = join(folder, 'clusterName.cjs');
  const to = JSON.stringify({ host: '127.0.0.1', hostname: '127.0.0.1', port: new URL(url).port });
  writeFileSync(
    file,
    `const net = require('node:net');
const { connect } = net;
net.connect = (options, ...more) =>
  connect(options?.host === ${JSON.stringify(host)} ? { ...options, ...${to} } : options, ...more);
`,
  );
  return { NODE_OPTIONS: `--require ${file}` };
}
