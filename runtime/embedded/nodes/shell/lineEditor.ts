const escape = String.fromCharCode(27);
const keys = new RegExp(`${escape}\\[[0-9;]*[A-Za-z~]|${escape}\\[?[0-9;]*$|[^]`, 'gu');
const unfinished = new RegExp(`^${escape}\\[?[0-9;]*$`);
const longestSequence = 16;

/** What becomes of what is typed. */
interface Heard {
  readonly echo: (text: string) => void;
  readonly line: (line: string) => void;
  readonly interrupt: () => void;
  /** Ctrl-D on an empty line. */
  readonly end: () => void;
}

const longestLine = 4_096;
const mostRemembered = 100;

/** Keys that come as several characters, and what they do. */
const sequences: Readonly<Record<string, 'up' | 'down' | 'left' | 'right' | 'home' | 'end' | 'delete'>> = {
  '\x1b[A': 'up',
  '\x1b[B': 'down',
  '\x1b[C': 'right',
  '\x1b[D': 'left',
  '\x1b[H': 'home',
  '\x1b[F': 'end',
  '\x1b[1~': 'home',
  '\x1b[4~': 'end',
  '\x1b[3~': 'delete',
  '\x01': 'home',
  '\x05': 'end',
};

/** Makes lines of keys, with a cursor and a memory of the lines before. */
export class LineEditor {
  /** Stands before the line, for when it is drawn anew. */
  prompt = '';
  private line = '';
  private cursor = 0;
  private pending = '';
  private readonly history: string[] = [];
  private remembered = 0;
  private readonly heard: Heard;

  constructor(heard: Heard) {
    this.heard = heard;
  }

  type(text: string): void {
    const all = this.pending + text;
    this.pending = '';
    for (const [key] of all.matchAll(keys))
      if (unfinished.test(key) && all.endsWith(key) && key.length < longestSequence) this.pending = key;
      else this.press(key);
  }

  private press(key: string): void {
    const action = sequences[key];
    if (action) return this.move(action);
    switch (key) {
      case '\r':
      case '\n':
        return this.enter();
      case '\x03':
        this.heard.echo('^C\n');
        this.set('', false);
        return this.heard.interrupt();
      case '\x04':
        return this.line === '' ? this.heard.end() : undefined;
      case '\x7f':
      case '\b':
        return this.rubOut();
      case '\x15':
        return this.set(this.line.slice(this.cursor), true, 0);
      case '\x0b':
        return this.set(this.line.slice(0, this.cursor), true);
      default:
        if (key >= ' ' || key === '\t') this.insert(key === '\t' ? ' ' : key);
    }
  }

  private insert(text: string): void {
    if (text.startsWith('\x1b') || this.line.length + text.length > longestLine) return;
    const after = this.line.slice(this.cursor);
    this.line = this.line.slice(0, this.cursor) + text + after;
    this.cursor += text.length;
    this.heard.echo(text + after + back(after.length));
  }

  private enter(): void {
    const { line } = this;
    this.heard.echo('\n');
    this.line = '';
    this.cursor = 0;
    if (this.prompt !== '' && line.trim() !== '' && this.history.at(-1) !== line) this.history.push(line);
    if (this.history.length > mostRemembered) this.history.shift();
    this.remembered = this.history.length;
    this.heard.line(line);
  }

  private rubOut(): void {
    if (this.cursor === 0) return;
    if (this.cursor === this.line.length) {
      this.set(this.line.slice(0, -1), false);
      return this.heard.echo('\b \b');
    }
    this.set(this.line.slice(0, this.cursor - 1) + this.line.slice(this.cursor), true, this.cursor - 1);
  }

  private move(to: (typeof sequences)[string]): void {
    const places: Readonly<Record<string, number>> = {
      left: Math.max(0, this.cursor - 1),
      right: Math.min(this.line.length, this.cursor + 1),
      home: 0,
      end: this.line.length,
    };
    const place = places[to];
    if (place !== undefined) return this.set(this.line, true, place);
    if (to === 'delete')
      return this.set(this.line.slice(0, this.cursor) + this.line.slice(this.cursor + 1), true, this.cursor);
    const next = this.remembered + (to === 'up' ? -1 : 1);
    if (next < 0 || next > this.history.length) return;
    this.remembered = next;
    this.set(this.history[next] ?? '', true);
  }

  /** Puts another line in place of this one. */
  private set(line: string, drawn: boolean, cursor = line.length): void {
    this.line = line;
    this.cursor = cursor;
    if (drawn) this.heard.echo(`\r${this.prompt}${line}\x1b[K${back(line.length - cursor)}`);
  }
}

const back = (count: number) => (count > 0 ? `\x1b[${count}D` : '');
