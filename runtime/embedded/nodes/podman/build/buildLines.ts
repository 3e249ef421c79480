import type { Writable } from 'node:stream';

/** Podman prints the whole request of a copy between the step and the cause, and folders of its own. */
export const shortened = (why: string): string =>
  why
    .trim()
    .replace(/error during bulk transfer for copier\.request\{.*\}: /s, '')
    .replaceAll(/\/var\/tmp\/libpod_builder\d+\/build/g, '');

/** Says each line once it is whole; what stands after the last line break comes at the end. */
export function lineSplitter(say: (line: string) => void) {
  let rest = '';
  return {
    take(text: string) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach((line) => say(line.replace(/\r$/, '')));
    },
    end() {
      if (rest !== '') say(rest);
      rest = '';
    },
  };
}

/** Writes each line to a log. */
export const lineWriter =
  (log: Writable) =>
  (line: string): void =>
    void log.write(`${line}\n`);
