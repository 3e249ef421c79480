import { PassThrough, type Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { LineEditor } from './lineEditor.ts';
import type { Stdio } from '../../api/podProcesses.ts';

/** The terminal of a session: it edits lines, echoes them, and gives them to the shell or to the command at work. */
export interface Terminal {
  readonly output: Writable;
  /** The next line; null at the end of the input. */
  readonly readLine: (prompt: string) => Promise<string | null>;
  /** Runs a command with the terminal as its input; Ctrl-C interrupts it. */
  readonly inForeground: <T>(run: (stdin: Readable, interrupted: AbortSignal) => Promise<T>) => Promise<T>;
  /** Resolves when all that was shown has been passed on, or the reader disconnects. */
  readonly close: () => Promise<void>;
}

interface Foreground {
  readonly stdin: PassThrough;
  readonly interrupt: AbortController;
}

const mostWaitingLines = 64;

export function openTerminal({ stdin, stdout, gone }: Stdio): Terminal {
  const output = newlines(stdout);
  const decoder = new StringDecoder('utf8');
  const waiting: string[] = [];
  let reader: ((line: string | null) => void) | null = null;
  let foreground: Foreground | null = null;
  let hasEnded = stdin === null;

  const give = (line: string | null) => {
    const waited = reader;
    reader = null;
    waited?.(line);
  };
  const editor = new LineEditor({
    echo: (text) => void output.write(text),
    line(line) {
      if (reader) give(line);
      else if (foreground && !foreground.stdin.writableEnded) foreground.stdin.write(`${line}\n`);
      else if (waiting.length < mostWaitingLines) waiting.push(line);
    },
    interrupt() {
      if (foreground) foreground.interrupt.abort();
      else give('');
    },
    end() {
      if (foreground) foreground.stdin.end();
      else give(null);
    },
  });
  stdin?.on('data', (chunk: Buffer) => {
    editor.type(decoder.write(chunk));
    if (!foreground?.stdin.writableNeedDrain) return;
    stdin.pause();
    foreground.stdin.once('drain', () => stdin.resume());
  });
  const finish = () => {
    hasEnded = true;
    foreground?.stdin.end();
    give(null);
  };
  stdin?.once('end', finish);
  gone.addEventListener('abort', finish, { once: true });

  return {
    output,
    readLine(prompt) {
      if (hasEnded && waiting.length === 0) return Promise.resolve(null);
      editor.prompt = prompt;
      output.write(prompt);
      const next = waiting.shift();
      if (next !== undefined) {
        output.write(`${next}\n`);
        return Promise.resolve(next);
      }
      return new Promise((done) => (reader = done));
    },
    async inForeground(run) {
      const own = { stdin: new PassThrough(), interrupt: new AbortController() };
      if (hasEnded) own.stdin.end();
      foreground = own;
      editor.prompt = '';
      try {
        return await run(own.stdin, AbortSignal.any([own.interrupt.signal, gone]));
      } finally {
        foreground = null;
        stdin?.resume();
      }
    },
    close: () =>
      new Promise((done) => {
        if (gone.aborted || output.destroyed) return done();
        gone.addEventListener('abort', () => done(), { once: true });
        output.once('close', done);
        output.end();
      }),
  };
}

/** A line feed moves a terminal down only: it wants a carriage return before it. */
function newlines(to: Writable): Writable {
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      if (to.destroyed) return done();
      const text = chunk.includes(10) ? chunk.toString('latin1').replace(/\r?\n/g, '\r\n') : chunk.toString('latin1');
      to.write(Buffer.from(text, 'latin1'), (failure) => done(failure ?? null));
    },
  });
  return stream.on('error', () => {});
}
