import type { Param } from '../crds/kind.ts';
import type { View } from './access/needs.ts';

/** A sentence as it is stored. With an empty list of parameters every role is told it, without a list none but `whole`. */
export interface Said {
  readonly text: string;
  readonly params?: readonly Param[] | undefined;
}

/** A sentence with its list of parameters. */
export interface Sentence extends Said {
  readonly params: readonly Param[];
}

/** The value of a parameter, and the least view that reads it. */
interface Value {
  readonly value: string | number;
  readonly to: View;
}

type NameIn<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NameIn<Rest>
  : never;

/** Whether a text is written out in the source; what is put together of facts has a pattern for its type. */
type IsWrittenOut<Text extends string> = Record<symbol, never> extends Record<Text, true> ? false : true;
type WrittenOut<Text extends string> = Text & (IsWrittenOut<Text> extends true ? unknown : never);

type Template<Text extends string> = WrittenOut<Text> & ([NameIn<Text>] extends [never] ? never : unknown);
type Values<Text extends string> = { readonly [Name in NameIn<Text>]: Value | Said };

/** A sentence without parameters that everybody may read. */
export const open = <const Text extends string>(text: WrittenOut<Text>): Sentence => ({ text, params: [] });

/** A sentence without parameters that is told to nobody but those who read everything. */
export const closed = <const Text extends string>(text: WrittenOut<Text>): Said => ({ text });

/** A sentence whose own words give something away: told to nobody but those who read everything. */
export const withheld = ({ text }: Said): Said => ({ text });

/** Nothing to say. */
export const nothing: Said = { text: '' };

export const toViewers = (value: string | number): Value => ({ value, to: 'viewer' });
export const toObservers = (value: string | number): Value => ({ value, to: 'observer' });
export const hidden = (value: string | number): Value => ({ value, to: 'whole' });

/** Words that somebody else chose, of which nobody knows what is in them. */
export const foreign = (why: string): Sentence => sentence('{why}', { why: hidden(why) });

const pieces = new Map<string, readonly string[]>();

/** Text and names of parameters by turns. */
function piecesOf(template: string): readonly string[] {
  const known = pieces.get(template) ?? template.split('{').flatMap((part, index) => (index ? part.split('}') : part));
  pieces.set(template, known);
  return known;
}

/** A sentence with parameters, which stand in braces by name; one that is a sentence keeps its own. */
export function sentence<const Text extends string>(template: Template<Text>, values: Values<Text>): Sentence {
  const given: Readonly<Record<string, Value | Said>> = values;
  let text = '';
  const params: Param[] = [];
  for (const [index, piece] of piecesOf(template).entries()) {
    if (index % 2 === 1) params.push(...paramsOf(piece, given[piece] ?? nothing, text.length));
    text += index % 2 === 1 ? textOf(given[piece] ?? nothing) : piece;
  }
  return { text, params };
}

/** Several sentences as one. */
export function joined(parts: readonly Said[], between: string): Sentence {
  let text = '';
  const params: Param[] = [];
  for (const [index, part] of parts.entries()) {
    if (index > 0) text += between;
    params.push(...paramsOf('part', part, text.length));
    text += part.text;
  }
  return { text, params };
}

const textOf = (of: Value | Said): string => ('text' in of ? of.text : String(of.value));

/** The parameters of what is put into a sentence at some place; where nothing is put in there are none. */
function paramsOf(name: string, of: Value | Said, at: number): readonly Param[] {
  if ('text' in of && of.params) return of.params.map((param) => ({ ...param, at: at + param.at }));
  const value = textOf(of);
  return value === '' ? [] : [{ name, value, to: 'to' in of ? of.to : 'whole', at }];
}

const isParam = (value: unknown): value is Param => {
  if (typeof value !== 'object' || value === null) return false;
  const { name, value: stands, to, at } = value as Readonly<Record<string, unknown>>;
  return (
    typeof name === 'string' &&
    typeof stands === 'string' &&
    (to === 'viewer' || to === 'observer' || to === 'whole') &&
    Number.isSafeInteger(at)
  );
};

/** The parameters in what was read, if that is what it is. */
export const paramsIn = (value: unknown): readonly Param[] | undefined =>
  Array.isArray(value) && value.every(isParam) ? value : undefined;

const leftOut = '…';
const rank = { viewer: 0, observer: 1, whole: 2 } as const satisfies Record<View, number>;
const hasLetters = (text: string): boolean => text.toLowerCase() !== text.toUpperCase();

/** A sentence as a view is told it, what is hidden from it left out; null where nothing would be left of it. */
export function told({ text, params }: Said, view: View): string | null {
  if (view === 'whole' || text === '') return text;
  if (params === undefined) return null;
  const parts: string[] = [];
  let end = 0;
  for (const { value, to, at } of params) {
    // Somebody wrote into the text: what stands where is not known any more.
    if (at < end || !text.startsWith(value, at)) return null;
    parts.push(text.slice(end, at), rank[to] <= rank[view] ? value : leftOut);
    end = at + value.length;
  }
  parts.push(text.slice(end));
  return parts.some(hasLetters) ? parts.join('') : null;
}
