import { typeOfValue } from '../evaluate/typeOfValue.ts';
import { isList, isMap } from '../evaluate/values.ts';
import { lengthOf } from '../functions/text.ts';
import { ofCharacter, ofCheck, ofNewList, ofPattern } from './prices.ts';

/** How large a value is: characters, bytes, items; 1 for what has no size. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return lengthOf(value);
  if (value instanceof Uint8Array || isList(value)) return value.length;
  return isMap(value) ? value.size : 1;
}

type Actual = (args: readonly unknown[], result: unknown) => number;

const through =
  (factor: number): Actual =>
  ([text]) =>
    Math.ceil(sizeOf(text) * factor);

const pattern: Actual = ([text, of]) => Math.ceil((1 + sizeOf(text)) * ofCharacter) * Math.ceil(sizeOf(of) * ofPattern);

/** Texts in a list are gone through as well. */
const items: Actual = ([list]) =>
  isList(list) ? list.reduce<number>((sum, item) => sum + traversal(item), 1) : Math.ceil(sizeOf(list) * ofCharacter);

function traversal(value: unknown): number {
  const { kind } = typeOfValue(value);
  return kind === 'string' || kind === 'bytes' ? Math.ceil(sizeOf(value) * ofCharacter) : 1;
}

const shorter: Actual = ([a, b]) => Math.ceil(Math.min(sizeOf(a), sizeOf(b)) * ofCharacter);

const squared: Actual = (args) => 1 + ofNewList + 2 * sizeOf(args.at(-1)) ** 2;
const sets: Actual = ([a, b]) => 1 + sizeOf(a) * sizeOf(b);
const copied: Actual = (_, result) => 1 + ofNewList + sizeOf(result);

const actual: Readonly<Record<string, Actual>> = {
  ...Object.fromEntries(['==', '!=', '<', '<=', '>', '>='].map((sign) => [`_${sign}_`, shorter])),
  '_+_': ([a, b]) => (isList(a) ? 1 : Math.ceil((sizeOf(a) + sizeOf(b)) * ofCharacter)),
  '@in': ([, holder]) => (isList(holder) ? sizeOf(holder) : 1),
  check: () => ofCheck,
  ...Object.fromEntries(['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'].map((name) => [name, items])),
  ...Object.fromEntries(
    ['url', 'lowerAscii', 'upperAscii', 'substring', 'trim', 'cidr', 'ip', 'isIP', 'isCIDR', 'quantity', 'isQuantity']
      .concat('semver', 'isSemver', 'string', 'bytes', 'format', 'strings.quote')
      .map((name) => [name, through(ofCharacter)]),
  ),
  ...Object.fromEntries(['replace', 'split', 'ip.isCanonical'].map((name) => [name, through(2 * ofCharacter)])),
  join: (_, result) => Math.ceil(sizeOf(result) * 2 * ofCharacter),
  matches: pattern,
  find: pattern,
  findAll: pattern,
  contains: ([text, part]) => Math.ceil(sizeOf(text) * ofCharacter) * Math.ceil(sizeOf(part) * ofCharacter),
  startsWith: ([, part]) => Math.ceil(sizeOf(part) * ofCharacter),
  endsWith: ([, part]) => Math.ceil(sizeOf(part) * ofCharacter),
  validate: ([, text]) => Math.ceil((1 + sizeOf(text)) * ofCharacter) * 32,
  'sets.contains': sets,
  'sets.intersects': sets,
  'sets.equivalent': (args, result) => 2 * sets(args, result),
  distinct: squared,
  sort: squared,
  '@sortByAssociatedKeys': squared,
  slice: copied,
  reverse: copied,
  flatten: copied,
  'lists.range': copied,
};

/** What a call came to cost. */
export const actualCost = (name: string, args: readonly unknown[], result: unknown): number =>
  actual[name]?.(args, result) ?? 1;
