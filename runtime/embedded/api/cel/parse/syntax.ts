import type { Fault } from './expression.ts';

/** What the parser met, and where. */
interface Met {
  readonly summary: string;
  readonly start: number;
}

const beginnings =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

const fault = (says: string, position: number): Fault => ({ says: `Syntax error: ${says}`, position });
const unreadable = (found: string, position: number) => fault(`token recognition error at: '${found}'`, position);
const ends = (text: string) => fault(`mismatched input '<EOF>' expecting ${beginnings}`, text.length);

/** Why a text is no expression, in the words of the grammar's own parser where these are known. */
export function syntaxFaults(text: string, { summary, start }: Met): readonly Fault[] {
  if (summary === 'Expected RPAREN, got EOF') return [fault("missing ')' at '<EOF>'", text.length)];
  if (summary.endsWith('EOF')) return [ends(text)];
  if (summary.startsWith('Unterminated string')) return [unreadable(text.slice(start), start), ends(text)];
  if (summary.startsWith('Invalid escape')) return brokenEscape(text, start);
  if (summary === 'Expected IDENTIFIER, got DOT') return [fault("no viable alternative at input '..'", start)];
  if (summary.startsWith('Unexpected character: =')) return lonelyEquals(text, start);
  if (summary.startsWith("Unexpected character: '")) return [leftOver(text, start)];
  return [fault(summary, start)];
}

/** A text in quotes whose escape is none ends there, and its last quote begins another. */
function brokenEscape(text: string, escape: number): readonly Fault[] {
  const opens = Math.max(text.lastIndexOf('"', escape), text.lastIndexOf("'", escape));
  const quote = text[opens] ?? '';
  const closes = text.indexOf(quote, escape);
  const rest = closes < 0 ? [] : [unreadable(text.slice(closes), closes)];
  return [unreadable(text.slice(opens, escape + 2), opens), ...rest, ends(text)];
}

/** A single sign of equality is no operator; what follows it stands alone. */
function lonelyEquals(text: string, start: number): readonly Fault[] {
  const met = unreadable(text.slice(start, start + 2), start);
  const next = tokenAt(text, start + 2);
  if (next === null || text[start - 1] === '=') return [met];
  return [met, fault(`extraneous input '${next.word}' expecting <EOF>`, next.position)];
}

/** What stands behind a whole expression: one thing alone is too much, more is another beginning. */
function leftOver(text: string, start: number): Fault {
  const met = tokenAt(text, start);
  if (met === null) return ends(text);
  const isLast = tokenAt(text, met.position + met.word.length) === null;
  return fault(`${isLast ? 'extraneous' : 'mismatched'} input '${met.word}' expecting <EOF>`, met.position);
}

const token = /'[^']*'|"[^"]*"|\w+|[=!<>]=|&&|\|\||\S/g;

function tokenAt(text: string, from: number): { readonly word: string; readonly position: number } | null {
  token.lastIndex = from;
  const found = token.exec(text);
  return found ? { word: found[0], position: found.index } : null;
}
