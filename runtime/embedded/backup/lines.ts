import { type Json, isJson, numberAt, textAt } from '../api/json.ts';
import { BadData } from '../badData.ts';

/** A line of a backup: its head, a part of a file, an object, and last how many came before. */
export type Line =
  | { readonly is: 'head'; readonly format: number }
  | { readonly is: 'folder'; readonly path: string; readonly mode: number }
  | { readonly is: 'file'; readonly path: string; readonly mode: number; readonly data: string }
  | { readonly is: 'object'; readonly key: string; readonly text: string }
  | { readonly is: 'end'; readonly lines: number; readonly revision: number };

/** Bumped when older programs could not read a backup. */
export const backupFormat = 1;

/** Reads one line; what is no line of a backup is refused. */
export function lineOf(text: string): Line {
  const line = parsed(text);
  switch (line['is']) {
    case 'head':
      return { is: 'head', format: numberAt(line, 'format') };
    case 'folder':
      return { is: 'folder', path: textAt(line, 'path'), mode: numberAt(line, 'mode') };
    case 'file':
      return { is: 'file', path: textAt(line, 'path'), mode: numberAt(line, 'mode'), data: textAt(line, 'data') };
    case 'object':
      return { is: 'object', key: textAt(line, 'key'), text: textAt(line, 'text') };
    case 'end':
      return { is: 'end', lines: numberAt(line, 'lines'), revision: numberAt(line, 'revision') };
    default:
      throw notABackup();
  }
}

export const notABackup = () => new BadData('the file is no backup of Core, or is damaged');

function parsed(text: string): Json {
  try {
    const line: unknown = JSON.parse(text);
    if (isJson(line)) return line;
  } catch {
    // Said below: what is no JSON is no line either.
  }
  throw notABackup();
}
