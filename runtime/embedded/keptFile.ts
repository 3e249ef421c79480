import { readFileSync } from 'node:fs';
import { isJson } from './api/json.ts';
import { BadData } from './badData.ts';

/** What a user does about a damaged file that nothing else can be made of. */
export const fromBackup = 'restore a backup of the data directory';

/** What a user does about one that a start makes anew when it is not there. */
export const orMadeAnew = `${fromBackup}, or remove the file and have it made anew`;

/** What a file of the data directory says, read by `parse`; the error for an unreadable one names its path. */
export function keptFile<T>(path: string, parse: (text: string) => T, remedy = fromBackup): T {
  const text = readFileSync(path, 'utf8');
  try {
    return parse(text);
  } catch (why) {
    const [words = ''] = (why instanceof Error ? why.message : String(why)).split('\n');
    throw new BadData(`${path} is damaged: ${words}; ${remedy}`);
  }
}

/** The value of a JSON text. What the parser itself says of another text quotes from it, and it may be secret. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(text === '' ? 'it is empty' : 'it is no JSON');
  }
}

/** A JSON object whose named fields are all texts. */
export function textsIn<Names extends string>(text: string, names: readonly Names[]): Record<Names, string> {
  const found = jsonIn(text);
  const texts: Partial<Record<Names, string>> = {};
  for (const name of names) {
    const value = isJson(found) ? found[name] : undefined;
    if (typeof value !== 'string' || value === '') throw new Error(`it has no ${name}`);
    texts[name] = value;
  }
  return texts as Record<Names, string>;
}
