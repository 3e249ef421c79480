import { readFileSync } from 'node:fs';
import { BadData } from './badData.ts';

/** What a file of the data directory says, read by `parse`; one that cannot be understood is told by its path. */
export function keptFile<T>(path: string, parse: (text: string) => T): T {
  const text = readFileSync(path, 'utf8');
  try {
    return parse(text);
  } catch (why) {
    const [words = ''] = (why instanceof Error ? why.message : String(why)).split('\n');
    throw new BadData(`${path} is damaged: ${words}`);
  }
}

/** A JSON object whose named fields are all texts. */
export function textsIn<Names extends string>(text: string, names: readonly Names[]): Record<Names, string> {
  const found: unknown = JSON.parse(text);
  const texts: Partial<Record<Names, string>> = {};
  for (const name of names) {
    const value: unknown = typeof found === 'object' && found !== null ? Reflect.get(found, name) : undefined;
    if (typeof value !== 'string' || value === '') throw new Error(`it has no ${name}`);
    texts[name] = value;
  }
  return texts as Record<Names, string>;
}
