import type { Param } from '../crds/kind.ts';
import type { View } from './access/needs.ts';

/** A sentence as stored. With an empty list of parameters every role may read it; without a list only `whole` may. */
export interface Message {
  readonly text: string;
  readonly params?: readonly Param[] | undefined;
}

/** A sentence with its list of parameters. */
export interface Sentence extends Message {
  readonly params: readonly Param[];
}

/** The value of a parameter, and the least view that may read it. */
interface Value {
  readonly value: string | number;
  readonly to: View;
}

type NameIn<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NameIn<Rest>
  : never;

/** Whether a text is a literal in the source; a text built from facts has a template type. */
type IsWrittenOut<Text extends string> = Record<symbol, never> extends Record<Text, true> ? false : true;
type WrittenOut<Text extends string> = Text & (IsWrittenOut<Text> extends true ? unknown : never);

type Template<Text extends string> = WrittenOut<Text> & ([NameIn<Text>] extends [never] ? never : unknown);
type Values<Text extends string> = { readonly [Name in NameIn<Text>]: Value | Message };

/** A sentence without parameters that every view may read. */
export const open = <const Text extends string>(text: WrittenOut<Text>): Sentence => ({ text, params: [] });

/** A sentence without parameters that only the whole view may read. */
export const closed = <const Text extends string>(text: WrittenOut<Text>): Message => ({ text });

/** Restricts a sentence to the whole view, because its fixed words disclose something. */
export const withheld = ({ text }: Message): Message => ({ text });

/** The empty sentence. */
export const nothing: Message = { text: '' };

export const toViewers = (value: string | number): Value => ({ value, to: 'viewer' });
export const toObservers = (value: string | number): Value => ({ value, to: 'observer' });
export const hidden = (value: string | number): Value => ({ value, to: 'whole' });

/** Text from an external source, whose content is unknown. */
export const external = (why: string): Sentence => sentence('{why}', { why: hidden(why) });

const partsByTemplate = new Map<string, readonly string[]>();

/** Fixed text and parameter names in alternation. */
function partsOf(template: string): readonly string[] {
  const known =
    partsByTemplate.get(template) ?? template.split('{').flatMap((part, index) => (index ? part.split('}') : part));
  partsByTemplate.set(template, known);
  return known;
}

/** A sentence with parameters, written by name in braces; a parameter that is a sentence keeps its own parameters. */
export function sentence<const Text extends string>(template: Template<Text>, values: Values<Text>): Sentence {
  const given: Readonly<Record<string, Value | Message>> = values;
  let text = '';
  const params: Param[] = [];
  for (const [index, piece] of partsOf(template).entries()) {
    if (index % 2 === 1) params.push(...paramsOf(piece, given[piece] ?? nothing, text.length));
    text += index % 2 === 1 ? textOf(given[piece] ?? nothing) : piece;
  }
  return { text, params };
}

/** Several sentences as one. */
export function joined(parts: readonly Message[], between: string): Sentence {
  let text = '';
  const params: Param[] = [];
  for (const [index, part] of parts.entries()) {
    if (index > 0) text += between;
    params.push(...paramsOf('part', part, text.length));
    text += part.text;
  }
  return { text, params };
}

const textOf = (of: Value | Message): string => ('text' in of ? of.text : String(of.value));

/** The parameters of a value inserted into a sentence at a position; none when nothing is inserted. */
function paramsOf(name: string, of: Value | Message, at: number): readonly Param[] {
  if ('text' in of && of.params) return of.params.map((param) => ({ ...param, at: at + param.at }));
  const value = textOf(of);
  return value === '' ? [] : [{ name, value, to: 'to' in of ? of.to : 'whole', at }];
}

const isParam = (value: unknown): value is Param => {
  if (typeof value !== 'object' || value === null) return false;
  const { name, value: current, to, at } = value as Readonly<Record<string, unknown>>;
  return (
    typeof name === 'string' &&
    typeof current === 'string' &&
    (to === 'viewer' || to === 'observer' || to === 'whole') &&
    Number.isSafeInteger(at)
  );
};

/** The parameters in a stored value, if it has their form. */
export const paramsIn = (value: unknown): readonly Param[] | undefined =>
  Array.isArray(value) && value.every(isParam) ? value : undefined;

const leftOut = '…';
const rank = { viewer: 0, observer: 1, whole: 2 } as const satisfies Record<View, number>;
const hasLetters = (text: string): boolean => text.toLowerCase() !== text.toUpperCase();

/** A sentence as a view may read it, without its hidden parameters; null when nothing would remain. */
export function textFor({ text, params }: Message, view: View): string | null {
  if (view === 'whole' || text === '') return text;
  if (params === undefined) return null;
  const parts: string[] = [];
  let end = 0;
  for (const { value, to, at } of params) {
    // The stored text was edited, so the positions of its parameters are unknown.
    if (at < end || !text.startsWith(value, at)) return null;
    parts.push(text.slice(end, at), rank[to] <= rank[view] ? value : leftOut);
    end = at + value.length;
  }
  parts.push(text.slice(end));
  return parts.some(hasLetters) ? parts.join('') : null;
}
