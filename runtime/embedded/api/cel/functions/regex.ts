import { RE2JS } from 're2js';
import { EvaluationError } from '../evaluate/values.ts';

const known = new Map<string, RE2JS>();
/** Few, as an expression keeps what it has learnt of the texts that it saw. */
const mostKnown = 200;

/** A pattern as RE2 reads it, whose time grows with the text alone; throws an EvaluationError for one that is none. */
function compiled(pattern: string): RE2JS {
  const found = known.get(pattern);
  if (found) return found;
  const made = read(pattern);
  if (known.size >= mostKnown) known.clear();
  known.set(pattern, made);
  return made;
}

function read(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new EvaluationError(why.endsWith('at end of expression') ? `${why}: \`\`` : why);
  }
}

/** Why a pattern is none; null for one that is. */
export function patternFault(pattern: string): string | null {
  try {
    compiled(pattern);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Whether a part of a text is as a pattern says. */
export const isLike = (pattern: string, text: string): boolean => compiled(pattern).test(text);

/** The first part of a text that is as a pattern says; empty where there is none. */
export function firstLike(pattern: string, text: string): string {
  const found = compiled(pattern).matcher(text);
  return found.find() ? (found.group() ?? '') : '';
}

/** The parts of a text that are as a pattern says, at most so many; an empty one does not follow upon another part. */
export function allLike(pattern: string, text: string, most = Number.POSITIVE_INFINITY): readonly string[] {
  const found = compiled(pattern).matcher(text);
  const all: string[] = [];
  let end = -1;
  while (all.length < most && found.find()) {
    if (found.end() > found.start() || found.start() !== end) all.push(found.group() ?? '');
    end = found.end();
  }
  return all;
}
