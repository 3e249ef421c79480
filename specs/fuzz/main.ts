import { parseArgs } from 'node:util';
import { fuzzCommands } from './commands.ts';
import { fuzz } from './fuzz.ts';
import { fuzzMessages } from './messages.ts';
import { fuzzSockets } from './sockets/sockets.ts';

const { values } = parseArgs({
  options: {
    of: { type: 'string', default: 'requests' },
    runs: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
  },
});
const runs = Number(values.runs);
const seed = Number(values.seed);
const print = (line: string) => void process.stdout.write(`${line}\n`);
const heapAtMost = 8 * 1024 * 1024;
const printed = 20;
const startedAt = performance.now();

function summaryOf(what: string, counts: Readonly<Record<string, number>>): void {
  const told = Object.entries(counts).map(([status, count]) => `${status}: ${count}`);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  print(`\nseed ${seed}, ${runs} ${what} in ${seconds} s; ${told.join(', ')}`);
}

/** Requests to the API. */
async function requests(): Promise<boolean> {
  const { counts, findings, unexpected, heapGrownBytes } = await fuzz({ runs, seed, say: print });
  for (const { changes, sent, faults, answer } of findings.slice(0, printed))
    print(`\n${faults.join('; ')}\n  changes: ${changes.join(', ')}\n  sent: ${sent}\n  answer: ${answer}`);
  for (const line of unexpected.slice(0, printed)) print(`\nlogged: ${line}`);
  summaryOf('requests', counts);
  print(`the heap grew by ${(heapGrownBytes / 1024 / 1024).toFixed(1)} MB`);
  print(`${findings.length} findings, ${unexpected.length} unexpected failures`);
  return findings.length + unexpected.length === 0 && heapGrownBytes <= heapAtMost;
}

/** Command lines, by exit code. */
async function commandLines(): Promise<boolean> {
  const { counts, findings } = await fuzzCommands(runs, seed);
  for (const { line, why } of findings.slice(0, printed)) print(`\n${JSON.stringify(line)}\n  ${why}`);
  summaryOf('command lines', counts);
  print(`${findings.length} findings`);
  return findings.length === 0;
}

/** Handshakes and frames at the socket of terminals. */
async function sockets(): Promise<boolean> {
  const { counts, findings } = await fuzzSockets(runs, seed);
  for (const line of findings.slice(0, printed)) print(`\n${line}`);
  summaryOf('sockets', counts);
  print(`${findings.length} findings`);
  return findings.length === 0;
}

/** Messages to the server of agents, over both transports. */
async function messages(): Promise<boolean> {
  const { counts, findings } = await fuzzMessages(runs, seed);
  for (const { message, why } of findings.slice(0, printed)) print(`\n${why}\n  ${message.slice(0, 1_000)}`);
  summaryOf('messages over each transport', counts);
  print(`${findings.length} findings`);
  return findings.length === 0;
}

const of: Readonly<Record<string, () => Promise<boolean>>> = { requests, commands: commandLines, messages, sockets };
const ran = (await of[values.of]?.()) ?? false;
process.exitCode = ran ? 0 : 1;
