import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' } },
});
const runs = Number(values.runs);
const seed = Number(values.seed);
const print = (line: string) => void process.stdout.write(`${line}\n`);
const heapAtMost = 8 * 1024 * 1024;
const printed = 20;

const startedAt = performance.now();
const { counts, findings, unexpected, heapGrownBytes } = await fuzz(runs, seed, print);
for (const { changes, sent, faults, answer } of findings.slice(0, printed))
  print(`\n${faults.join('; ')}\n  changes: ${changes.join(', ')}\n  sent: ${sent}\n  answer: ${answer}`);
for (const line of unexpected.slice(0, printed)) print(`\nlogged: ${line}`);
const told = Object.entries(counts).map(([status, count]) => `${status}: ${count}`);
print(
  `\nseed ${seed}, ${runs} requests in ${Math.round((performance.now() - startedAt) / 1000)} s; ${told.join(', ')}`,
);
print(`the heap grew by ${(heapGrownBytes / 1024 / 1024).toFixed(1)} MB`);
print(`${findings.length} findings, ${unexpected.length} unexpected failures`);
process.exitCode = findings.length + unexpected.length > 0 || heapGrownBytes > heapAtMost ? 1 : 0;
