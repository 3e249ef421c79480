import { posix } from 'node:path';
import { fits, globSteps } from './pattern.ts';
import type { Session } from './process.ts';
import type { Piece, Script, Word } from './syntax.ts';

const longest = 128 * 1_024;

/** Runs a script for what it prints. */
export type Captured = (script: Script) => Promise<string>;

/** The words of a command with their variables and outputs filled in; what was not quoted is split at blanks. */
export async function expand(words: readonly Word[], session: Session, capture: Captured): Promise<readonly string[]> {
  const all: string[] = [];
  for (const word of words) all.push(...(await fields(word, session, capture)));
  return all;
}

/** One word as one text, as in an assignment or the target of a redirect. */
export async function expandWhole(word: Word, session: Session, capture: Captured): Promise<string> {
  const texts = [];
  for (const piece of word) texts.push(await textOf(piece, session, capture));
  return texts.join('').slice(0, longest);
}

async function fields(word: Word, session: Session, capture: Captured): Promise<readonly string[]> {
  const found: string[] = [];
  let open: string | null = null;
  for (const [index, piece] of word.entries()) {
    const text = tilde(index, piece, session) ?? (await textOf(piece, session, capture));
    if (piece.quoted || piece.is === 'text') {
      open = (open ?? '') + text;
      continue;
    }
    const [first = '', ...more] = text.split(/[ \t\n]+/);
    if (first !== '') open = (open ?? '') + first;
    for (const next of more) {
      if (open !== null) found.push(open);
      open = next === '' ? null : next;
    }
  }
  if (open !== null) found.push(open);
  return found.flatMap((text) => (word.every(({ quoted }) => !quoted) ? matching(text, session) : [text]));
}

const tilde = (index: number, piece: Piece, { environment }: Session) =>
  index === 0 && piece.is === 'text' && !piece.quoted && /^~(\/|$)/.test(piece.text)
    ? (environment.get('HOME') ?? '/') + piece.text.slice(1)
    : null;

async function textOf(piece: Piece, session: Session, capture: Captured): Promise<string> {
  if (piece.is === 'text') return piece.text;
  if (piece.is === 'output') return (await capture(piece.of)).replace(/\n+$/, '');
  const value = valueOf(piece.name, session);
  return value === undefined || (value === '' && piece.otherwise !== null) ? (piece.otherwise ?? '') : value;
}

function valueOf(name: string, { environment, lastExit }: Session): string | undefined {
  if (name === '?') return String(lastExit);
  if (name === '$') return '7';
  if (name === '#') return '0';
  if (name === '0') return 'sh';
  return environment.get(name);
}

/** The files that a word with `*` or `?` in its last part names; the word itself where there is none. */
function matching(text: string, { place, directory }: Session): readonly string[] {
  if (!/[*?]/.test(text)) return [text];
  const dir = posix.dirname(text);
  const pattern = globSteps(posix.basename(text));
  const names = place.files.names(posix.resolve(directory, dir)) ?? [];
  const found = names.filter((name) => !name.startsWith('.') && fits(pattern, name));
  const prefix = text.includes('/') ? `${dir === '/' ? '' : dir}/` : '';
  return found.length === 0 ? [text] : found.map((name) => prefix + name);
}
