import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { isJson, type Json, textAt } from '../../../api/json.ts';
import { BuildFailure } from './buildFailure.ts';

/** What podman tells while it works: a JSON object a line. */
export async function* objectsOf(body: Readable): AsyncGenerator<Json> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.write(chunk as Buffer)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line.trim() !== '').map(objectIn);
  }
  if (rest.trim() !== '') yield objectIn(rest);
}

function objectIn(line: string): Json {
  try {
    const found: unknown = JSON.parse(line);
    if (isJson(found)) return found;
  } catch {
    // Told below, with what came.
  }
  throw new BuildFailure(`podman gave an answer of another shape: ${line.slice(0, 200)}`);
}

/** Throws what podman tells as an error, in its words. */
export function refuseError(told: Json): void {
  const why = textAt(told, 'error') || textAt(told, 'errorDetail', 'message');
  if (why !== '') throw new BuildFailure(shortened(why));
}

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
