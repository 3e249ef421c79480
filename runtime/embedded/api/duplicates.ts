interface Frame {
  readonly above: Frame | undefined;
  /** The names met so far in an object; null in a list. */
  readonly names: Set<string> | null;
  index: number;
  field: string;
}

/** The paths of the fields that a JSON text, which is valid, gives twice in one object. */
export function duplicateFields(text: string): readonly string[] {
  const twice = new Set<string>();
  let frame: Frame | undefined;
  let isName = false;
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '{':
      case '[':
        isName = text[at] === '{';
        frame = { above: frame, names: isName ? new Set() : null, index: 0, field: '' };
        break;
      case '}':
      case ']':
        frame = frame?.above;
        isName = false;
        break;
      case ',':
        if (frame) frame.index += 1;
        isName = frame?.names !== null;
        break;
      case ':':
        isName = false;
        break;
      case '"': {
        const end = endOfString(text, at);
        if (isName && frame) meet(frame, unquoted(text.slice(at, end)), twice);
        at = end - 1;
        break;
      }
      default: // blanks, numbers and words
    }
  }
  return [...twice];
}

/** Where the text goes on behind the string that begins at a place. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote >= 0 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote < 0 ? text.length : quote + 1;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === '\\') before -= 1;
  return (at - before) % 2 === 0;
}

const unquoted = (quoted: string): string =>
  quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);

function meet(frame: Frame, name: string, twice: Set<string>): void {
  frame.field = name;
  if (frame.names?.has(name)) twice.add(pathOf(frame));
  frame.names?.add(name);
}

function pathOf(frame: Frame): string {
  const before = frame.above ? pathOf(frame.above) : '';
  if (frame.names === null) return `${before}[${frame.index}]`;
  return before === '' ? frame.field : `${before}.${frame.field}`;
}
