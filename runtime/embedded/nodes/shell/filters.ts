import { posix } from 'node:path';
import { Readable } from 'node:stream';
import { FileFault } from './files.ts';
import { fits, grepSteps } from './pattern.ts';
import { type Process, type Program, chunksOf, complain, linesOf, say, write } from './process.ts';

/** Works through the files named one after the other, or through the input where none is; the worst code counts. */
async function through(
  name: string,
  process: Process,
  files: readonly string[],
  work: (input: Process) => Promise<number>,
): Promise<number> {
  if (files.length === 0) return work(process);
  let worst = 0;
  for (const file of files) {
    try {
      const stdin = file === '-' ? process.stdin : readable(process, file);
      worst = Math.max(worst, await work({ ...process, stdin }));
    } catch (why) {
      if (!(why instanceof FileFault)) throw why;
      await complain(process, `${name}: can't open '${file}': ${why.message}`);
      worst = Math.max(worst, 1);
    }
  }
  return worst;
}

function readable({ session }: Process, file: string): Readable {
  const text = session.place.files.read(posix.resolve(session.directory, file));
  return Readable.from(text === '' ? [] : [Buffer.from(text)], { objectMode: false });
}

const isFlag = (arg: string) => /^-./.test(arg);
const flagsOf = (args: readonly string[]) => args.filter(isFlag).join('');
const filesOf = (args: readonly string[]) => args.filter((arg) => !isFlag(arg));

const cat: Program = (process) =>
  through('cat', process, filesOf(process.args), async (input) => {
    for await (const chunk of chunksOf(input)) if (!(await write(input.stdout, chunk, input.interrupted))) break;
    return 0;
  });

const wc: Program = (process) =>
  through('wc', process, filesOf(process.args), async (input) => {
    const { lines, words, bytes } = await counted(input);
    const asked = flagsOf(process.args);
    const counts = [
      ...(asked === '' || asked.includes('l') ? [lines] : []),
      ...(asked === '' || asked.includes('w') ? [words] : []),
      ...(asked === '' || asked.includes('c') ? [bytes] : []),
    ];
    const [only] = counts;
    const text = counts.length === 1 ? String(only) : counts.map((count) => String(count).padStart(9)).join(' ');
    await say(input, `${text}\n`);
    return 0;
  });

async function counted(input: Process) {
  const count = { lines: 0, words: 0, bytes: 0 };
  let isInWord = false;
  for await (const chunk of chunksOf(input)) {
    count.bytes += chunk.length;
    for (const byte of chunk) {
      const isBlank = byte === 32 || (byte >= 9 && byte <= 13);
      if (byte === 10) count.lines += 1;
      if (!isBlank && !isInWord) count.words += 1;
      isInWord = !isBlank;
    }
  }
  return count;
}

/** `-n 5`, `-n5` and `-5`; ten when nothing is said. */
function countOf(args: readonly string[]): { readonly count: number; readonly files: readonly string[] } {
  const [flag = '', next = ''] = args;
  if (flag === '-n') return { count: Number(next), files: args.slice(2) };
  const [, digits] = /^-n?(\d+)$/.exec(flag) ?? [];
  return digits === undefined ? { count: 10, files: args } : { count: Number(digits), files: args.slice(1) };
}

const head: Program = (process) => {
  const { count, files } = countOf(process.args);
  return through('head', process, files, async (input) => {
    let left = count;
    if (left > 0)
      for await (const line of linesOf(input)) {
        await say(input, `${line}\n`);
        left -= 1;
        if (left <= 0) break;
      }
    return 0;
  });
};

const tail: Program = (process) => {
  const { count, files } = countOf(process.args);
  const most = Math.min(count, 10_000);
  return through('tail', process, files, async (input) => {
    const last: string[] = [];
    for await (const line of linesOf(input)) if (last.push(line) > most) last.shift();
    for (const line of last) await say(input, `${line}\n`);
    return 0;
  });
};

const grep: Program = async (process) => {
  const flags = flagsOf(process.args);
  const [pattern = '', ...files] = filesOf(process.args);
  const folded = (text: string) => (flags.includes('i') ? text.toLowerCase() : text);
  const steps = flags.includes('F') ? grepSteps(pattern.replace(/[.^$\\[\]*]/g, '\\$&')) : grepSteps(folded(pattern));
  if (steps === null) {
    await complain(process, `grep: ${pattern}: only ., .*, ^ and $ are simulated`);
    return 2;
  }
  let found = 0;
  const ended = await through('grep', process, files, async (input) => {
    for await (const line of linesOf(input)) {
      if (fits(steps, folded(line)) === flags.includes('v')) continue;
      found += 1;
      if (flags.includes('q')) return 0;
      if (!flags.includes('c')) await say(input, `${line}\n`);
    }
    return 0;
  });
  if (flags.includes('c')) await say(process, `${found}\n`);
  if (ended !== 0) return 2;
  return found > 0 ? 0 : 1;
};

const mostSorted = 10_000;

const sort: Program = (process) => {
  const flags = flagsOf(process.args);
  return through('sort', process, filesOf(process.args), async (input) => {
    const lines: string[] = [];
    for await (const line of linesOf(input)) if (lines.length < mostSorted) lines.push(line);
    const byNumber = (a: string, b: string) => (Number.parseFloat(a) || 0) - (Number.parseFloat(b) || 0);
    lines.sort(flags.includes('n') ? byNumber : undefined);
    if (flags.includes('r')) lines.reverse();
    const kept = flags.includes('u') ? [...new Set(lines)] : lines;
    for (const line of kept) await say(input, `${line}\n`);
    return 0;
  });
};

/** What reads lines and passes on some of them. */
export const filters: Readonly<Record<string, Program>> = { cat, wc, head, tail, grep, sort };
