import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { root } from './product.ts';
import { suite } from './suite.ts';
import { unless } from './unless.ts';

const usedMs = 300;
const burn = [
  'const begun = process.cpuUsage();',
  `for (let used = 0; used < ${usedMs * 1000}; ) { const { user, system } = process.cpuUsage(begun); used = user + system; }`,
].join(' ');
const measure = `import { spawnSync } from 'node:child_process';
  import { processorMs } from './specs/processorTime.mjs';
  const before = processorMs();
  if (process.argv[1] === 'child') spawnSync(process.execPath, ['-e', '${burn}']);
  else { ${burn} }
  console.log(processorMs() - before);`;

const measured = (who: 'self' | 'child'): number =>
  Number(
    spawnSync(process.execPath, ['--input-type=module', '-e', measure, who], { cwd: root, encoding: 'utf8' }).stdout,
  );

const spec = suite('processor time');

spec('the processor time of a process excludes other processes', () => {
  const ms = measured('self');
  assert.ok(ms > usedMs / 2 && ms < usedMs * 3, String(ms));
});

const counting = unless(
  spec,
  existsSync('/proc/self/stat') ? null : 'this machine does not tell the processor time of ended children',
);
counting('the processor time of a process includes its ended child processes', () => {
  const ms = measured('child');
  assert.ok(ms > usedMs / 2 && ms < usedMs * 3, String(ms));
});

spec.run();
