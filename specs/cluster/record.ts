import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/product.ts';

/** The commit that a run begins with; what is not committed yet is of the next one. */
export const commit = (): string =>
  execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();

/** Writes down what a run printed, with the commit that it ran. */
export function writeRecord(of: string, lines: readonly string[]): void {
  const head = `# The last recorded run\n\n\`npm run real -- --record\` wrote this of commit ${of}.\n`;
  writeFileSync(join(root, 'specs/cluster/RECORD.md'), `${head}\n\`\`\`\n${lines.join('\n')}\n\`\`\`\n`);
}
