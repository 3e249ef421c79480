import { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { LogLine } from '../api/podLogs.ts';

/** A log keeps its newest lines, up to so many characters. */
const longestLog = 64 * 1024;

/** Takes what a program writes as lines with the time of their end. */
export function logWriter(now: () => number, wrote: () => void) {
  const decoder = new StringDecoder('utf8');
  const lines: LogLine[] = [];
  let length = 0;
  let rest = '';

  function keep(text: string) {
    lines.push({ text, at: now() });
    length += text.length;
    while (length > longestLog && lines.length > 1) length -= lines.shift()?.text.length ?? 0;
    wrote();
  }

  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      const whole = (rest + decoder.write(chunk)).split('\n');
      rest = whole.pop() ?? '';
      whole.forEach(keep);
      done();
    },
  });

  return {
    stream,
    lines: (): readonly LogLine[] => lines,
    /** Lets what has no end of line be a line too. */
    flush() {
      if (rest !== '') keep(rest);
      rest = '';
    },
  };
}
