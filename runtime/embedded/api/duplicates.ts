import { endOfString } from './endOfString.ts';
import { isJson } from './json.ts';
import type { JsonReading } from './jsonText.ts';

type Read = Extract<JsonReading, { readonly value: unknown }>;

/** How often each name was met so far. */
type Names = Map<string, 'once' | 'twice'>;

interface Frame {
  readonly above: Frame | undefined;
  /** Null in a list. */
  readonly names: Names | null;
  index: number;
  field: string;
  /** Whether the next string of an object is a name. */
  isAtName: boolean;
}

/** As many as the API server names. */
const mostListed = 100;
/** Characters of all paths that are made: the path to a name may be as long as the text is. */
const mostWritten = 1_024 * 1_024;

/** How many fields a value has, with all inside it; nothing that was read nests too deep for the stack. */
function fieldsIn(value: unknown): number {
  let fields = 0;
  if (Array.isArray(value)) for (const item of value) fields += fieldsIn(item);
  else if (isJson(value)) for (const field of Object.keys(value)) fields += 1 + fieldsIn(value[field]);
  return fields;
}

/** The paths of the fields that a JSON text gives twice in one object: none where it names as many as were read. */
export const duplicatesOfText = (text: string, { value, names }: Read): readonly string[] =>
  fieldsIn(value) === names ? [] : duplicateFields(text);

/** The paths of the fields that a JSON text, which is valid, gives twice in one object. */
export function duplicateFields(text: string): readonly string[] {
  const twice = createTwice();
  let frame: Frame | undefined;
  for (let at = 0; at < text.length && !twice.isFull(); at += 1) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      if (frame?.names && frame.isAtName) meet(frame, frame.names, unquoted(text.slice(at, end)), twice);
      at = end - 1;
    } else if (character === '{' || character === '[') frame = frameIn(frame, character === '{');
    else if (character === '}' || character === ']') frame = frame?.above;
    else if (frame && character === ',') {
      frame.index += 1;
      frame.isAtName = true;
    }
  }
  return twice.paths();
}

const frameIn = (above: Frame | undefined, isObject: boolean): Frame => ({
  above,
  names: isObject ? new Map() : null,
  index: 0,
  field: '',
  isAtName: true,
});

function meet(frame: Frame, names: Names, name: string, twice: Twice): void {
  const met = names.get(name);
  frame.field = name;
  frame.isAtName = false;
  names.set(name, met === undefined ? 'once' : 'twice');
  if (met === 'once') twice.add(frame);
}

const unquoted = (quoted: string): string =>
  quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);

type Twice = ReturnType<typeof createTwice>;

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
    isFull: () => paths.size >= mostListed || written >= mostWritten,
    paths: () => [...paths],
  };
}

function pathOf(frame: Frame): string {
  const steps: string[] = [];
  for (let one: Frame | undefined = frame; one; one = one.above)
    steps.push(one.names === null ? `[${one.index}]` : one.above ? `.${one.field}` : one.field);
  return steps.toReversed().join('');
}
