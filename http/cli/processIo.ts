import { hostname } from 'node:os';
import type { Interrupt, Io, Output } from './io.ts';

const outputOf = (stream: NodeJS.WriteStream): Output => ({
  isTerminal: stream.isTTY,
  write: (text) =>
    new Promise((resolve) => {
      if (stream.write(text)) resolve();
      else stream.once('drain', resolve);
    }),
});

async function readAll(): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

/** Reads no further than the first line: a person does not end the input after it. */
function readLine(): Promise<string | null> {
  return new Promise((resolve) => {
    let read = '';
    const end = (line: string | null) => {
      process.stdin.removeListener('data', take).removeListener('end', close).pause();
      resolve(line);
    };
    const close = () => end(read === '' ? null : read);
    const take = (part: Buffer) => {
      read += part.toString('utf8');
      const at = read.indexOf('\n');
      if (at !== -1) end(read.slice(0, at).replace(/\r$/, ''));
    };
    process.stdin.on('data', take).once('end', close);
  });
}

const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const wake = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    signal?.addEventListener('abort', wake);
  });

function catchInterrupt(): Interrupt {
  const caught = new AbortController();
  const abort = () => caught.abort();
  process.once('SIGINT', abort);
  return { signal: caught.signal, release: () => void process.removeListener('SIGINT', abort) };
}

/** The process that runs, as a command sees it. */
export const processIo = (): Io => ({
  env: process.env,
  platform: process.platform,
  hostName: hostname(),
  out: outputOf(process.stdout),
  err: outputOf(process.stderr),
  input: {
    // Standard input is opened on first use.
    get isTerminal() {
      return process.stdin.isTTY;
    },
    line: readLine,
    all: readAll,
  },
  clock: { now: Date.now, monotonic: () => performance.now(), sleep },
  openPage: async (url) => {
    // Loaded on use: few commands open a page.
    const { default: open } = await import('open');
    const opened = await open(url);
    opened.unref();
  },
  catchInterrupt,
});
