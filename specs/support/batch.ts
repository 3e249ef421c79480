// Runs bundled specs one after another in this process:
// `node specs/measured.mjs specs/support/batch.ts <bundle> [<source> <bundle>]…`.
import { pathToFileURL } from 'node:url';

declare global {
  /** Suites that are to run, by file. */
  var UVU_QUEUE: unknown[][];
  /** Whether suites wait for `exec` instead of running by themselves. */
  var UVU_DEFER: number;
  /** Reports the processor time of a spec that ended (specs/measured.mjs). */
  var CORE_SPEC_ENDED: (file: string) => void;
}

globalThis.UVU_DEFER = 1;
const { exec } = await import('uvu');

const say = (line: string) => void process.stdout.write(`\n${line}\n`);

async function runFile(source: string, bundle: string): Promise<void> {
  // By this name a suite records its results, and a spec finds what it starts.
  process.argv[1] = source;
  globalThis.UVU_QUEUE = [[null]];
  const startedAt = performance.now();
  say(`=begins ${source}`);
  await import(pathToFileURL(bundle).href);
  await exec();
  globalThis.CORE_SPEC_ENDED(source);
  say(`=ended ${source} ${performance.now() - startedAt}`);
}

const asked = process.argv.slice(2);
for (let at = 0; at < asked.length; at += 2) await runFile(asked[at] ?? '', asked[at + 1] ?? '');
