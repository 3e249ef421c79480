import { createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { LogLine, LogStart } from '../../api/podLogs.ts';

/**
 * Reads the lines of a log as a container runtime writes it: time, stream, `F` or `P` for a part, text. Parts are given as they
 * come, but for half a character and half a line break at their end.
 */
export function lineReader() {
  const characters = new StringDecoder('utf8');
  let rest = '';
  let held = '';
  return (chunk: Buffer): readonly LogLine[] => {
    const raw = (rest + chunk.toString('latin1')).split('\n');
    rest = raw.pop() ?? '';
    return raw.flatMap((line): readonly LogLine[] => {
      const [, time = '', mark = '', bytes = ''] = /^(\S+) \S+ (\S+) ?(.*)$/s.exec(line) ?? [];
      const isPart = mark === 'P';
      const text = held + characters.write(Buffer.from(bytes, 'latin1')) + (isPart ? '' : characters.end());
      held = isPart && text.endsWith('\r') ? '\r' : '';
      const shown = text.replace(/\r$/, '');
      if (isPart && shown === '') return [];
      return [{ text: shown, at: Date.parse(time) || 0, ...(isPart && { isPart }) }];
    });
  };
}

/** Parts put together to lines, each of the time of its first; the last one may still lack its end. */
export function wholeLines(pieces: readonly LogLine[]): LogLine[] {
  const lines: LogLine[] = [];
  for (const piece of pieces) {
    const before = lines.at(-1);
    if (before?.isPart !== true) lines.push(piece);
    else lines.splice(-1, 1, { ...piece, text: before.text + piece.text, at: before.at });
  }
  return lines;
}

const chunkBytes = 64 * 1_024;

/** The lines from an offset to the end as it is now, piece by piece. */
export async function* linesFromOffset(file: FileHandle, from: number, read = lineReader()) {
  for (let offset = from; ;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, offset);
    if (bytesRead === 0) return;
    offset += bytesRead;
    yield { lines: read(buffer.subarray(0, bytesRead)), offset };
  }
}

/** Where in a file the last lines begin; a line in parts counts as one. */
export async function tailOffset(file: FileHandle, count: number): Promise<number> {
  const { size } = await file.stat();
  let text = '';
  for (let from = size; from > 0;) {
    const length = Math.min(chunkBytes, from);
    from -= length;
    const { buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, from);
    text = buffer.toString('latin1') + text;
    const starts = startsOfLines(text, from === 0);
    const start = starts[starts.length - count];
    if (count === 0) return size;
    if (start !== undefined && starts.length > count) return from + start;
    if (from === 0) return starts.length > count ? from + (start ?? 0) : 0;
  }
  return 0;
}

/** Where the whole lines of a text begin; its first one may be the rest of one that began before. */
function startsOfLines(text: string, isStart: boolean): readonly number[] {
  const starts: number[] = [];
  let fresh = isStart;
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at);
    if (end < 0) break;
    if (fresh) starts.push(at);
    fresh = !/^\S+ \S+ P /.test(text.slice(at, Math.min(end, at + 80)));
    at = end + 1;
  }
  return starts;
}

export async function opened(path: string): Promise<FileHandle | null> {
  return open(path, 'r').catch((why: NodeJS.ErrnoException) => {
    if (why.code === 'ENOENT') return null;
    throw why;
  });
}

/** The lines of a log that were asked for. */
export async function readLog(path: string, { tailLines, sinceMs = -Infinity }: LogStart): Promise<LogLine[]> {
  const file = await opened(path);
  if (!file) return [];
  try {
    const from = tailLines === undefined ? 0 : await tailOffset(file, tailLines);
    const pieces: LogLine[] = [];
    for await (const piece of linesFromOffset(file, from)) pieces.push(...piece.lines);
    return wholeLines(pieces).filter(({ at }) => at >= sinceMs);
  } finally {
    await file.close();
  }
}

/** A log of what a program in this process writes, in the form in which a container runtime writes one. */
export function logWriterTo(path: string, now: () => number): Writable {
  const decoder = new StringDecoder('utf8');
  // A log that cannot be written is lost; the program that writes it goes on.
  const out = createWriteStream(path, { flags: 'a', mode: 0o600 }).on('error', () => {});
  let rest = '';
  const line = (text: string) => `${new Date(now()).toISOString()} stdout F ${text}\n`;
  return new Writable({
    write(chunk: Buffer, _, done) {
      const lines = (rest + decoder.write(chunk)).split('\n');
      rest = lines.pop() ?? '';
      out.write(lines.map(line).join(''), () => done());
    },
    final(done) {
      out.end(rest === '' ? '' : line(rest), () => done());
    },
  });
}
