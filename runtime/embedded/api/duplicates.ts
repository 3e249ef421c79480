interface Frame {
  readonly above: Frame | undefined;
  /** How often each name was met so far in an object; null in a list. */
  readonly names: Map<string, 'once' | 'twice'> | null;
  index: number;
  field: string;
}

/** As many as the API server names. */
const mostTold = 100;
/** Characters of all paths that are made: the path to a name may be as long as the text is. */
const mostWritten = 1_024 * 1_024;

/** The paths of the fields that a JSON text, which is valid, gives twice in one object. */
export function duplicateFields(text: string): readonly string[] {
  const twice = createTwice();
  let frame: Frame | undefined;
  let isName = false;
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '{':
      case '[':
        isName = text[at] === '{';
        frame = { above: frame, names: isName ? new Map() : null, index: 0, field: '' };
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
        if (isName && frame?.names) {
          frame.field = unquoted(text.slice(at, end));
          const met = frame.names.get(frame.field);
          if (met === 'once') twice.add(frame);
          frame.names.set(frame.field, met === undefined ? 'once' : 'twice');
        }
        if (twice.isFull()) return twice.paths();
        at = end - 1;
        break;
      }
      default: // blanks, numbers and words
    }
  }
  return twice.paths();
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

/** Collects the paths of fields, until there are too many or too much was spent on them. */
function createTwice() {
  const paths = new Set<string>();
  let written = 0;
  return {
    add(frame: Frame) {
      const path = pathOf(frame);
      written += path.length;
      paths.add(path);
    },
    isFull: () => paths.size >= mostTold || written >= mostWritten,
    paths: () => [...paths],
  };
}

function pathOf(frame: Frame): string {
  const steps: string[] = [];
  for (let one: Frame | undefined = frame; one; one = one.above)
    steps.push(one.names === null ? `[${one.index}]` : one.above ? `.${one.field}` : one.field);
  return steps.toReversed().join('');
}
