import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

export type Command = readonly string[];

export interface Options {
  readonly input?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly withinMs?: number;
}

const shownCharacters = 600;

const started = ([program = '', ...args]: Command, { cwd, env }: Options): ChildProcess =>
  spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });

/** Runs a command to its end and returns what it printed; fails with the end of what it said. */
export async function run(command: Command, options: Options = {}): Promise<string> {
  const child = started(command, options);
  const timer = setTimeout(() => child.kill(), options.withinMs ?? 120_000);
  child.stdin?.on('error', () => {}).end(options.input ?? '');
  const code = new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject));
  const [out, err, ended] = await Promise.all([
    child.stdout ? text(child.stdout) : '',
    child.stderr ? text(child.stderr) : '',
    code,
  ]).finally(() => clearTimeout(timer));
  if (ended === 0) return out;
  const shown = command
    .join(' ')
    .replace(/^.* -- /, '')
    .slice(0, shownCharacters);
  throw new Error(`${shown}: ${`${out}${err}`.trim().slice(-shownCharacters)}`);
}

/** A line of a command that goes on, with the moment at which it was printed. */
export interface Line {
  readonly at: number;
  readonly text: string;
}

/** A command that goes on until it is stopped. */
export interface Running {
  readonly lines: readonly Line[];
  readonly stop: () => void;
}

export function start(command: Command, options: Options = {}): Running {
  const child = started(command, options);
  const lines: Line[] = [];
  for (const stream of [child.stdout, child.stderr])
    if (stream) createInterface(stream).on('line', (line) => void lines.push({ at: Date.now(), text: line }));
  child.on('error', ({ message }) => void lines.push({ at: Date.now(), text: message }));
  return {
    lines,
    stop: () => {
      child.stdin?.end();
      child.kill();
    },
  };
}
