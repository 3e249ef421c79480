import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/product.ts';

/** Writes down what a run printed, with the commit that it ran. */
export function writeRecord(lines: readonly string[]): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const head = `# The last recorded run\n\n\`npm run real -- --record\` wrote this of commit ${commit}.\n`;
  writeFileSync(join(root, 'specs/cluster/RECORD.md'), `${head}\n\`\`\`\n${lines.join('\n')}\n\`\`\`\n`);
}
