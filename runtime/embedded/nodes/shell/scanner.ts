import { type Piece, type Script, SyntaxFault, type Word } from './syntax.ts';

const blanks = /[ \t]/;
const ends = /[ \t\n;&|<>()]/;
const variable = /^(?:[A-Za-z_]\w*|[0-9?$#@*])/;
const braced = /^([A-Za-z_]\w*|[0-9?$#@*])(?::?-([^}]*))?}/;

/** Walks over the text of a script, word by word. */
export class Scanner {
  private at = 0;
  private readonly text: string;
  private readonly parseInner: (text: string) => Script;

  constructor(text: string, parseInner: (text: string) => Script) {
    this.text = text.replaceAll('\\\n', '');
    this.parseInner = parseInner;
  }

  isAtEnd = (): boolean => this.at >= this.text.length;
  peek = (): string => this.text[this.at] ?? '';
  isAtWord = (): boolean => !this.isAtEnd() && !ends.test(this.peek());

  /** Passes over blanks and a comment; over empty lines and `;` too where a command may begin. */
  skipBlanks(lines: boolean): void {
    while (!this.isAtEnd() && (blanks.test(this.peek()) || (lines && /[\n\r]/.test(this.peek())))) this.at += 1;
    if (this.peek() !== '#') return;
    while (!this.isAtEnd() && this.peek() !== '\n') this.at += 1;
    if (lines) this.skipBlanks(true);
  }

  /** The first of some operators that stands here, passed over. */
  operator<T extends string>(candidates: readonly T[]): T | null {
    const found = candidates.find((one) => this.text.startsWith(one, this.at)) ?? null;
    if (found === null || (found === '|' && this.text.startsWith('||', this.at))) return null;
    this.at += found.length;
    return found;
  }

  word(): Word {
    const pieces: Piece[] = [];
    while (this.isAtWord()) pieces.push(...this.pieces(false));
    return pieces;
  }

  private pieces(quoted: boolean): readonly Piece[] {
    const here = this.peek();
    if (here === '$') return [this.dollar(quoted)];
    if (here === '`') return [this.output(this.until('`'), quoted)];
    if (here === '\\') return [this.escaped(quoted)];
    if (here === '"' && !quoted) return this.doubleQuoted();
    if (here === "'" && !quoted) return [{ is: 'text', text: this.until("'"), quoted: true }];
    return [this.plain(quoted)];
  }

  private plain(quoted: boolean): Piece {
    const start = this.at;
    const stop = quoted ? /["$`\\]/ : /[ \t\n;&|<>()"'$`\\]/;
    while (!this.isAtEnd() && !stop.test(this.peek())) this.at += 1;
    if (this.at === start) this.at += 1;
    return { is: 'text', text: this.text.slice(start, this.at), quoted };
  }

  private escaped(quoted: boolean): Piece {
    const next = this.text[this.at + 1] ?? '';
    this.at += 2;
    const kept = quoted && !/["$`\\]/.test(next) ? '\\' : '';
    return { is: 'text', text: kept + next, quoted: true };
  }

  private doubleQuoted(): readonly Piece[] {
    this.at += 1;
    const pieces: Piece[] = [{ is: 'text', text: '', quoted: true }];
    while (this.peek() !== '"') {
      if (this.isAtEnd()) throw new SyntaxFault('syntax error: unterminated quoted string', true);
      pieces.push(...this.pieces(true));
    }
    this.at += 1;
    return pieces;
  }

  /** What stands between the mark here and its next one. */
  private until(mark: string): string {
    const end = this.text.indexOf(mark, this.at + 1);
    if (end < 0) throw new SyntaxFault('syntax error: unterminated quoted string', true);
    const inner = this.text.slice(this.at + 1, end);
    this.at = end + 1;
    return inner;
  }

  private dollar(quoted: boolean): Piece {
    const rest = this.text.slice(this.at + 1);
    if (rest.startsWith('((')) throw new SyntaxFault('arithmetic is not simulated');
    if (rest.startsWith('(')) return this.output(this.inParentheses(), quoted);
    const [whole, name, otherwise] = rest.startsWith('{') ? (braced.exec(rest.slice(1)) ?? []) : [];
    if (whole !== undefined && name !== undefined) {
      this.at += whole.length + 2;
      return { is: 'variable', name, otherwise: otherwise ?? null, quoted };
    }
    if (rest.startsWith('{')) throw new SyntaxFault('syntax error: bad substitution');
    const [plain] = variable.exec(rest) ?? [];
    this.at += 1 + (plain?.length ?? 0);
    return plain === undefined
      ? { is: 'text', text: '$', quoted }
      : { is: 'variable', name: plain, otherwise: null, quoted };
  }

  private inParentheses(): string {
    const start = this.at + 2;
    let depth = 1;
    for (this.at = start; depth > 0; this.at += 1) {
      if (this.isAtEnd()) throw new SyntaxFault('syntax error: unterminated quoted string', true);
      if (this.peek() === '(') depth += 1;
      if (this.peek() === ')') depth -= 1;
    }
    return this.text.slice(start, this.at - 1);
  }

  private output(text: string, quoted: boolean): Piece {
    return { is: 'output', of: this.parseInner(text), quoted };
  }
}
