import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Files } from './files.ts';

/** What never changes of the container that a shell is in. */
export interface Place {
  readonly podName: string;
  readonly hostname: string;
  readonly container: string;
  readonly image: string;
  readonly user: { readonly uid: number; readonly gid: number };
  /** The command of the container, for the list of processes. */
  readonly main: string;
  readonly files: Files;
  readonly now: () => number;
  readonly windowSize: () => { readonly rows: number; readonly columns: number } | null;
}

/** What a shell keeps from one command to the next. */
export interface Session {
  readonly place: Place;
  readonly environment: Map<string, string>;
  directory: string;
  lastExit: number;
  /** Set by `exit`. */
  exited: number | null;
  /** Set by `exec`: what runs in its place. */
  replacement: readonly string[] | null;
}

/** One command at work. */
export interface Process {
  readonly args: readonly string[];
  readonly session: Session;
  /** Null when nobody sends anything. */
  readonly stdin: Readable | null;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly interrupted: AbortSignal;
}

export type Program = (process: Process) => number | Promise<number>;

/** Writes when there is room; what nobody reads any more is lost. */
export async function write(stream: Writable, text: string | Buffer, interrupted: AbortSignal): Promise<boolean> {
  if (stream.destroyed || interrupted.aborted) return false;
  if (text.length === 0 || stream.write(text)) return true;
  const settled = new AbortController();
  const signal = AbortSignal.any([interrupted, settled.signal]);
  await Promise.race([once(stream, 'drain', { signal }), once(stream, 'close', { signal })]).catch(() => {});
  settled.abort();
  return !stream.destroyed && !interrupted.aborted;
}

/** What comes in, until its end or the interruption. */
export async function* chunksOf({ stdin, interrupted }: Process): AsyncGenerator<Buffer> {
  if (!stdin) return;
  while (!interrupted.aborted) {
    const chunk = stdin.read() as Buffer | null;
    if (chunk !== null) yield chunk;
    else if (stdin.readableEnded || stdin.destroyed) return;
    else await readableAgain(stdin, interrupted);
  }
}

function readableAgain(stream: Readable, interrupted: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const events = ['readable', 'end', 'close', 'error'];
    const heard = () => {
      interrupted.removeEventListener('abort', heard);
      for (const event of events) stream.off(event, heard);
      done();
    };
    for (const event of events) stream.on(event, heard);
    interrupted.addEventListener('abort', heard);
  });
}

/** The whole lines that come in, the last one too where it has no end. */
export async function* linesOf(process: Process): AsyncGenerator<string> {
  const longest = 64 * 1_024;
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of chunksOf(process)) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length <= longest) continue;
    yield rest;
    rest = '';
  }
  if (rest !== '') yield rest;
}

export const say = ({ stdout, interrupted }: Process, text: string) => write(stdout, text, interrupted);
export const complain = ({ stderr, interrupted }: Process, text: string) => write(stderr, `${text}\n`, interrupted);
