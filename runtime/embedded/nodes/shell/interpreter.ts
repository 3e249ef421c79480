import { posix } from 'node:path';
import { PassThrough, type Readable, Writable } from 'node:stream';
import { type Captured, expand, expandWhole } from './expand.ts';
import { FileFault } from './files.ts';
import { type Process, type Session, complain, linesOf, say } from './process.ts';
import { parse } from './parse.ts';
import { programs } from './programs.ts';
import { type Command, type Pipeline, type Redirect, type Script, SyntaxFault, type Word } from './syntax.ts';

type Streams = Pick<Process, 'stdin' | 'stdout' | 'stderr' | 'interrupted'>;

const interruptedCode = 130;
const syntaxCode = 2;
const notExecutableCode = 126;
const notFoundCode = 127;
const mostCaptured = 128 * 1_024;

/** Runs the text of a script; what is no script is complained of. */
export async function runText(text: string, session: Session, streams: Streams): Promise<number> {
  try {
    return await runScript(parse(text), session, streams);
  } catch (why) {
    if (!(why instanceof SyntaxFault)) throw why;
    await complain(processOf([], session, streams), `sh: ${why.message}`);
    return (session.lastExit = syntaxCode);
  }
}

/** A shell that reads its commands line by line, as from a file. */
export async function runLines(session: Session, streams: Streams): Promise<number> {
  let text = '';
  for await (const line of linesOf(processOf([], session, streams))) {
    text += `${line}\n`;
    if (isUnfinished(text)) continue;
    // What the shell has not read yet is its commands' input.
    await runText(text, session, streams);
    text = '';
    if (session.exited !== null) return session.exited;
  }
  if (text !== '') await runText(text, session, streams);
  return session.exited ?? session.lastExit;
}

export function isUnfinished(text: string): boolean {
  try {
    parse(text);
    return false;
  } catch (why) {
    return why instanceof SyntaxFault && why.unfinished;
  }
}

async function runScript(script: Script, session: Session, streams: Streams): Promise<number> {
  for (const pipeline of script) {
    if (session.exited !== null || streams.interrupted.aborted) break;
    if (pipeline.when === 'success' && session.lastExit !== 0) continue;
    if (pipeline.when === 'failure' && session.lastExit === 0) continue;
    session.lastExit = await runPipeline(pipeline, session, streams);
  }
  if (streams.interrupted.aborted) return interruptedCode;
  return session.exited ?? session.lastExit;
}

async function runPipeline({ commands }: Pipeline, session: Session, streams: Streams): Promise<number> {
  const [only, ...more] = commands;
  if (only && more.length === 0) return runCommand(only, session, streams);
  let stdin = streams.stdin;
  const codes = commands.map((command, index) => {
    const next = index === commands.length - 1 ? null : new PassThrough();
    const reads = stdin;
    stdin = next;
    const own = { ...session, environment: new Map(session.environment) };
    return runCommand(command, own, { ...streams, stdin: reads, stdout: next ?? streams.stdout }).then((code) => {
      next?.end();
      // Whoever still writes to a command that is over writes in vain.
      if (index > 0 && reads instanceof PassThrough) reads.destroy();
      return code;
    });
  });
  return (await Promise.all(codes)).at(-1) ?? 0;
}

async function runCommand(command: Command, session: Session, streams: Streams): Promise<number> {
  const capture: Captured = (script) => captured(script, session, streams);
  const assigned = command.words.findIndex((word) => !isAssignment(word));
  const count = assigned < 0 ? command.words.length : assigned;
  const args = await expand(command.words.slice(count), session, capture);
  const values = await Promise.all(
    command.words.slice(0, count).map((word) => expandWhole(word, session, capture).then(assignmentOf)),
  );
  const redirected = await redirect(command.redirects, session, { ...streams, capture });
  if (typeof redirected === 'string') {
    await complain(processOf(args, session, streams), redirected);
    return 1;
  }
  if (args.length === 0) {
    for (const [name, value] of values) session.environment.set(name, value);
    redirected.keep();
    return 0;
  }
  const before = new Map(session.environment);
  for (const [name, value] of values) session.environment.set(name, value);
  const code = await perform(processOf(args, session, redirected.streams));
  for (const [name] of values) restore(session, name, before.get(name));
  const fault = redirected.keep();
  if (fault === null) return code;
  await complain(processOf(args, session, streams), fault);
  return 1;
}

function restore({ environment }: Session, name: string, value: string | undefined): void {
  if (value === undefined) environment.delete(name);
  else environment.set(name, value);
}

const isAssignment = ([first]: Word) => first?.is === 'text' && !first.quoted && /^[A-Za-z_]\w*=/.test(first.text);

function assignmentOf(text: string): readonly [string, string] {
  const equals = text.indexOf('=');
  return [text.slice(0, equals), text.slice(equals + 1)];
}

async function perform(process: Process): Promise<number> {
  const [name = '', ...args] = process.args;
  const program = programs.get(posix.basename(name));
  if (isShell(name)) return runShell(args, process);
  if (name === 'exec' && args.length > 0) {
    process.session.replacement = args;
    return (process.session.exited = 0);
  }
  if (name === 'command') return runWord(args, process);
  if (program && isWhereProgramsAre(name)) {
    const code = await program({ ...process, args });
    return process.interrupted.aborted ? interruptedCode : code;
  }
  const isThere = name.includes('/') && isInPlace(process.session, name);
  await complain(process, `sh: ${name}: ${isThere ? 'Permission denied' : 'not found'}`);
  return isThere ? notExecutableCode : notFoundCode;
}

/** `command -v` prints what a word stands for; without it the word runs. */
async function runWord([first = '', ...rest]: readonly string[], process: Process): Promise<number> {
  if (first !== '-v') return first === '' ? 0 : perform({ ...process, args: [first, ...rest] });
  const [name = ''] = rest;
  if (!isProgram(name)) return notFoundCode;
  await say(process, `${isShell(name) ? `/bin/${posix.basename(name)}` : name}\n`);
  return 0;
}

function isInPlace({ place: { files }, directory }: Session, name: string): boolean {
  const path = posix.resolve(directory, name);
  return files.isFile(path) || files.names(path) !== null;
}

const isWhereProgramsAre = (name: string) => !name.includes('/') || /^(\/usr)?\/s?bin\/[^/]+$/.test(name);

/** Whether a command is the shell itself. */
export const isShell = (name: string) => /^((\/usr)?\/bin\/)?(sh|ash|bash|dash)$/.test(name);

/** Whether there is a program of that name in the containers. */
export const isProgram = (name: string) =>
  isShell(name) || (isWhereProgramsAre(name) && programs.has(posix.basename(name)));

/** A shell in a shell: what it sets is its own. */
async function runShell(args: readonly string[], process: Process): Promise<number> {
  const environment = new Map(process.session.environment);
  const session: Session = { ...process.session, environment, exited: null, replacement: null };
  const script = args.findIndex((arg) => /^-[a-z]*c$/.test(arg));
  if (script >= 0) return replaced(await runText(args[script + 1] ?? '', session, process), session, process);
  const file = args.find((arg) => !arg.startsWith('-'));
  if (file === undefined) return runLines(session, process);
  try {
    return await runText(session.place.files.read(posix.resolve(session.directory, file)), session, process);
  } catch (why) {
    if (!(why instanceof FileFault)) throw why;
    await complain(process, `sh: can't open '${file}': ${why.message}`);
    return syntaxCode;
  }
}

/** Runs what `exec` named in place of a shell, which is over with it. */
function replaced(code: number, session: Session, process: Process): number | Promise<number> {
  const { replacement } = session;
  if (replacement === null) return code;
  session.replacement = session.exited = null;
  return perform({ ...process, args: replacement, session });
}

async function captured(script: Script, session: Session, streams: Streams): Promise<string> {
  const collected = collector();
  const own = { ...session, environment: new Map(session.environment) };
  session.lastExit = await runScript(script, own, { ...streams, stdout: collected.stream });
  return collected.text();
}

/** Keeps what is written, up to a size. */
function collector() {
  const chunks: Buffer[] = [];
  let size = 0;
  const stream = new Writable({
    write: (chunk: Buffer, _, done) => {
      if (size < mostCaptured) chunks.push(chunk.subarray(0, mostCaptured - size));
      size += chunk.length;
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}

interface Redirected {
  readonly streams: Streams;
  /** Stores what was written to files; answers with what is wrong with one. */
  readonly keep: () => string | null;
}

/** The streams with the redirects in force, or what is wrong with one. */
async function redirect(
  redirects: readonly Redirect[],
  session: Session,
  { capture, ...streams }: Streams & { readonly capture: Captured },
): Promise<Redirected | string> {
  const { files } = session.place;
  const written: (() => void)[] = [];
  let { stdin, stdout, stderr } = streams;
  for (const { from, how, to } of redirects) {
    const target = await expandWhole(to, session, capture);
    if (how === 'same') {
      if (from === 2) stderr = stdout;
      else stdout = stderr;
      continue;
    }
    const path = posix.resolve(session.directory, target);
    try {
      if (how === 'read') stdin = readableOf(files.read(path));
      else {
        files.write(path, '', how);
        const collected = collector();
        written.push(() => files.write(path, collected.text(), 'append'));
        if (from === 2) stderr = collected.stream;
        else stdout = collected.stream;
      }
    } catch (why) {
      if (!(why instanceof FileFault)) throw why;
      return `sh: can't ${how === 'read' ? 'open' : 'create'} ${target}: ${why.message}`;
    }
  }
  const keep = () => {
    try {
      for (const one of written) one();
      return null;
    } catch (why) {
      if (!(why instanceof FileFault)) throw why;
      return `sh: write error: ${why.message}`;
    }
  };
  return { streams: { ...streams, stdin, stdout, stderr }, keep };
}

function readableOf(text: string): Readable {
  const stream = new PassThrough();
  stream.end(text);
  return stream;
}

function processOf(args: readonly string[], session: Session, streams: Streams): Process {
  const { stdin, stdout, stderr, interrupted } = streams;
  return { args, session, stdin, stdout, stderr, interrupted };
}
