// Runs a spec as launch.mjs does, and writes the processor time of each spec file to descriptor 3.
import { writeSync } from 'node:fs';
import { processorMs } from './processorTime.mjs';

let reportedMs = 0;
/** Reports what was used since the spec before this one ended; specs/support/batch.ts calls it after each. */
globalThis.CORE_SPEC_ENDED = (file) => {
  const usedMs = processorMs();
  writeSync(3, `${JSON.stringify({ file, cpuMs: usedMs - reportedMs })}\n`);
  reportedMs = usedMs;
};
process.on('exit', () => globalThis.CORE_SPEC_ENDED(process.argv[1]));

await import('./launch.mjs');
