// Runs every spec, small ones some in a process, the others each in its own; some processes at a time, those that take
// longest first.
// `npm test -- <pattern>…` runs those whose path matches one of the patterns.
// The last line is `N passed, N failed`, with `, N skipped` where a spec had to skip something and said why.
// Every test that ran leaves a line in the results file (specs/support/suite.ts), which `npm run specs` reads.
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { stop as stopBundling } from 'esbuild';
import { bundleSpecs } from './bundle.mjs';
import { withLibraries } from './libraries.mjs';
import { processorMs } from './processorTime.mjs';

/** Three more than there are processors: most wait now and then, for a process, a timer or the disk. */
const atATime = Math.min(availableParallelism(), 4) + 3;
const timeoutMs = 600_000;
/** How long a spec may take to end when its tests are over: a test that failed may have left something open. */
const lingersMs = 30_000;
const shownLargest = 10;
/** Most specs end before code that is optimized at V8's own budget (66 KiB) has paid for it; what runs long still is. */
const optimizedLater = '--interrupt-budget=1000000';

/** What begins last should not be what is waited for in the end. */
const takesLong =
  /^specs\/(?:runtime\/embedded\/kubectl|faults|e2e|guides|podman|check|trace)\/|^specs\/(?:runtime\/embedded\/nodes\/jobs|runtime\/pass\/interleaved|http\/signIn)/;

const root = fileURLToPath(new URL('..', import.meta.url));
const resultsFile = process.env.CORE_SPEC_RESULTS ?? join(root, 'node_modules/.cache/specs/results.ndjson');
const patterns = process.argv.slice(2);
const pattern = new RegExp(patterns.join('|'));
const files = readdirSync(join(root, 'specs'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.spec\.tsx?$/.test(entry.name))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  .filter((file) => pattern.test(file))
  .toSorted();

const [libraries, { programs, batch, folder, inSources }] = await Promise.all([
  withLibraries(root),
  bundleSpecs(root, files),
]);
await stopBundling();
/** How specs are started: bundled if they can be, or from their sources. */
const programOf = ([file, ...more]) =>
  more.length > 0
    ? ['specs/measured.mjs', ...batch, ...[file, ...more].flatMap((one) => [one, programs.get(one)])]
    : programs.has(file)
      ? ['specs/measured.mjs', file, programs.get(file)]
      : ['--import', 'tsx', 'specs/measured.mjs', file, file];

/** Specs run some in a process, by what they have in common: to load and warm it takes longer than most of them. */
const sharing = [
  { files: /^specs\/faults\//, together: 5 },
  { files: /^specs\/e2e\//, together: 4 },
  { files: /^specs\/(?:trace|podman|runtime\/gitHost)\//, together: 8 },
  { files: /^specs\/(?:audit|crds|http|rules|runtime\/(?!embedded\/(?:kubectl|nodes)))/, together: 28 },
];
/** What a spec does to its process would be done to the others. */
const needsProcess =
  /\bprocess\.(?:exit|chdir|on)\b|\bprocess\.env\[[^\]]+\] =(?!=)|\bglobalThis\.|--expose-gc|\bgc\(|\benterOwnNetwork\(|\bwhereDisksAreOurs\(/;

function* unitsOf(all) {
  const units = new Map(sharing.map((group) => [group, []]));
  const groupOf = (file) =>
    programs.has(file) && !needsProcess.test(readFileSync(join(root, file), 'utf8'))
      ? sharing.find(({ files }) => files.test(file))
      : undefined;
  for (const file of all) {
    const group = groupOf(file);
    const unit = units.get(group) ?? [];
    unit.push(file);
    if (unit.length >= (group?.together ?? 1)) yield unit.splice(0);
  }
  for (const unit of units.values()) if (unit.length > 0) yield unit;
}

/** Those of one short spec are last: they fill what others leave. */
const rankOf = (unit) => (unit.some((file) => takesLong.test(file)) ? 0 : unit.length > 1 ? 1 : 2);

/** A run of everything begins the results anew; any other adds to them, for several runs may be under way at once. */
mkdirSync(dirname(resultsFile), { recursive: true });
if (patterns.length === 0) rmSync(resultsFile, { force: true });
const forgetResultsOf = (file) => appendFileSync(resultsFile, `\n${JSON.stringify({ file, came: 'forgotten' })}\n`);

/** Processes under way, each the leader of a group of its own: what a spec started dies with it. */
const running = new Set();
const killGroup = (child) => {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
};
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    for (const child of running) killGroup(child);
    process.exit(1);
  });

/** `skipped <why>` on a line of its own, or behind the name and the marks of a suite that is under way. */
const skipLine = /^(?: .+? {2})?(?:[•✘] )*(skipped\b.*)$/gm;
const numberIn = (text, name) => Number(new RegExp(`^  ${name}: +(\\d+)$`, 'm').exec(text)?.[1] ?? 0);

/** What became of one file: counts of its tests, and why it failed as a whole if it did. */
function resultOf({ file, output, code, signal, killedFor, ms, cpuMs }) {
  const text = stripVTControlCharacters(output);
  const total = numberIn(text, 'Total');
  const passed = numberIn(text, 'Passed');
  const skipped = numberIn(text, 'Skipped');
  const whys = [...text.matchAll(skipLine)].map(([, why]) => why);
  const trouble = killedFor
    ? killedFor
    : signal
      ? `was ended by ${signal}`
      : code !== 0 && passed === total
        ? `exited with ${code}`
        : total === 0 && skipped === 0 && whys.length === 0
          ? 'ran no test: does it end with .run()?'
          : null;
  const failed = total - passed + (trouble === null ? 0 : 1);
  return { file, text, ms, cpuMs, passed, failed, skipped: Math.max(skipped, whys.length), whys, trouble };
}

/** What specs/measured.mjs wrote: the processor time of each file, which for the last one of a process comes in two parts. */
function cpuMsByFile(usage) {
  const byFile = new Map();
  for (const line of usage.split('\n').filter(Boolean)) {
    const { file, cpuMs } = JSON.parse(line);
    byFile.set(file, (byFile.get(file) ?? 0) + cpuMs);
  }
  return byFile;
}

/** The results of the specs of a process that ended: each has what was printed after its mark. */
function resultsOf(unit, { output, usage, ...ended }) {
  const cpuMs = cpuMsByFile(usage);
  if (unit.length === 1) return [resultOf({ file: unit[0], output, ...ended, cpuMs: cpuMs.get(unit[0]) ?? 0 })];
  const [, ...parts] = output.split(/^=begins (.*)\n/m);
  return unit.slice(0, parts.length / 2).map((file, at) => {
    const part = parts[2 * at + 1];
    const [mark, ms] = /^=ended .* (\S+)\n/m.exec(part) ?? ['', ended.ms];
    // What the process as a whole came to is told of the spec that was the last one under way.
    const end = 2 * at + 2 === parts.length ? ended : { code: 0, signal: null, killedFor: '' };
    return resultOf({ file, output: part.replace(mark, ''), ...end, ms: Number(ms), cpuMs: cpuMs.get(file) ?? 0 });
  });
}

const run = (unit) =>
  new Promise((resolve) => {
    const startedAt = performance.now();
    unit.forEach(forgetResultsOf);
    const child = spawn(process.execPath, [optimizedLater, ...programOf(unit)], {
      cwd: root,
      env: { ...process.env, ...libraries, CORE_SPEC_RESULTS: resultsFile, CORE_SPEC_BUNDLES: folder },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    running.add(child);
    let output = '';
    let usage = '';
    let killedFor = '';
    const timers = [];
    const killAfter = (ms, why) =>
      timers.push(
        setTimeout(() => {
          killedFor = why;
          killGroup(child);
        }, ms),
      );
    killAfter(timeoutMs, `timed out after ${timeoutMs / 1000} s`);
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk) => {
        output += chunk;
        if (unit.length > 1 ? output.includes(`=ended ${unit.at(-1)}`) : /^ {2}Duration: /m.test(chunk))
          killAfter(lingersMs, 'did not end after its last test');
      });
    child.stdio[3].setEncoding('utf8').on('data', (chunk) => {
      usage += chunk;
    });
    const end = (code, signal) => {
      timers.forEach(clearTimeout);
      running.delete(child);
      resolve(resultsOf(unit, { output, usage, code, signal, killedFor, ms: performance.now() - startedAt }));
    };
    child.on('error', (error) => {
      output += `${error.message}\n`;
      end(1, null);
    });
    // `close` waits for the output; a process that a spec left behind would hold it open for ever.
    child.on('exit', () => killGroup(child));
    child.on('close', end);
  });

const print = (line) => void process.stdout.write(`${line}\n`);
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

const results = [];
const waiting = [...unitsOf(files)].toSorted((one, other) => rankOf(one) - rankOf(other));
async function work() {
  for (let unit = waiting.shift(); unit !== undefined; unit = waiting.shift()) {
    const came = await run(unit);
    results.push(...came);
    for (const { file, failed, ms, cpuMs } of came)
      print(failed > 0 ? `failed ${file} (${seconds(ms)})` : `${seconds(cpuMs).padStart(8)}  ${file}`);
    // A process that ended early took those with it that had not begun.
    const left = unit.slice(came.length);
    if (left.length > 0) waiting.unshift(left);
  }
}
await Promise.all(Array.from({ length: atATime }, work));

for (const { file, text, trouble } of results.filter(({ failed }) => failed > 0)) {
  print(`\n=== ${file}${trouble === null ? '' : `: ${trouble}`}`);
  print(inSources(text.trim()));
}
function printLargest(heading, measure) {
  print(heading);
  for (const result of results.toSorted((one, other) => other[measure] - one[measure]).slice(0, shownLargest))
    print(`${seconds(result[measure]).padStart(10)}  ${result.file}`);
}
if (results.length > shownLargest) {
  const inAll = `of ${results.length}, in`;
  printLargest(`the slowest ${inAll} ${seconds(performance.now())} altogether`, 'ms');
  printLargest(`the largest ${inAll} ${seconds(processorMs())} of processor time altogether`, 'cpuMs');
}
if (files.length === 0) print(`no spec matches ${pattern}`);

const sum = (name) => results.reduce((total, result) => total + result[name], 0);
for (const { file, whys } of results) for (const why of whys) print(`${why} (${file})`);
const skipped = sum('skipped') === 0 ? '' : `, ${sum('skipped')} skipped`;
print(`${sum('passed')} passed, ${sum('failed')} failed${skipped}`);
process.exitCode = sum('failed') > 0 || files.length === 0 ? 1 : 0;
