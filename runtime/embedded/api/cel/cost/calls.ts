import type { Overload } from '../functions/signature.ts';
import type { Expression } from '../parse/expression.ts';
import type { CelType } from '../types/type.ts';
import { ofCharacter, ofCheck, ofNewList, ofPattern } from './prices.ts';
import { type Span, boundless, by, either, exactly, plus, times, unknownSize } from './size.ts';

/** An argument, the one that a function is called on first. */
export interface Given {
  readonly expression: Expression;
  readonly type: CelType;
  readonly size: Span;
  /** The size of an item of a list. */
  readonly itemSize: Span;
}

/** What a call costs besides its arguments, and how large its result is, where that is known. */
export interface CallCost {
  readonly cost: Span;
  readonly size?: Span;
}

type Estimate = (args: readonly Given[], overload: Overload) => CallCost;

const nominal: CallCost = { cost: exactly(1) };

/** What a call of an overload costs. */
export function callCost(overload: Overload, args: readonly Given[]): CallCost {
  return estimates[overload.name]?.(args, overload) ?? nominal;
}

const sizeOf = (args: readonly Given[], index = 0) => args[index]?.size ?? unknownSize;

const traversal: Estimate = (args) => ({ cost: by(sizeOf(args), ofCharacter) });
const traversalKept: Estimate = (args) => ({ cost: by(sizeOf(args), ofCharacter), size: sizeOf(args) });
const twice: Estimate = (args) => ({ cost: by(sizeOf(args), 2 * ofCharacter) });

const isTextual = ({ kind }: CelType) => kind === 'string' || kind === 'bytes';

/** Visits every item; texts in it are traversed. */
const throughItems: Estimate = (args) => {
  const [list] = args;
  const item = list?.type.of[0];
  if (!list || !item) return { cost: by(sizeOf(args), ofCharacter) };
  const each = isTextual(item) ? plus(exactly(1), by(list.itemSize, ofCharacter)) : exactly(1);
  return { cost: times(list.size, each) };
};

const replace: Estimate = (args) => {
  const [text, old, made] = [sizeOf(args), sizeOf(args, 1), sizeOf(args, 2)];
  return { cost: by(text, 2 * ofCharacter), size: replacedSize(text, old, made) };
};

function replacedSize(text: Span, old: Span, made: Span): Span {
  const longest = ((): readonly [times: number, kept: number] => {
    if (old.least === 0) return [text.most + 1, text.most];
    return made.most <= old.least ? [0, text.most] : [Math.ceil(text.most / old.least), 0];
  })();
  const shortest = ((): readonly [times: number, kept: number] => {
    if (old.most === 0) return [text.least + 1, text.least];
    return old.most <= made.least ? [0, text.least] : [Math.ceil(text.least / old.most), 0];
  })();
  const count = { least: shortest[0], most: longest[0] };
  return plus(times(count, made), { least: shortest[1], most: longest[1] });
}

const split: Estimate = (args) => {
  const limit = args[2]?.expression;
  const most = limit?.is === 'literal' && typeof limit.value === 'bigint' ? asSize(limit.value) : sizeOf(args).most;
  return { cost: by(sizeOf(args), 2 * ofCharacter), size: { least: 0, most } };
};

const asSize = (value: bigint) => (value < 0n ? boundless : Number(value));

const join: Estimate = (args) => {
  const [list, separator] = args;
  if (!list) return nominal;
  const gaps = { least: Math.max(0, list.size.least - 1), most: Math.max(0, list.size.most - 1) };
  const size = plus(times(list.size, list.itemSize), separator ? times(separator.size, gaps) : exactly(0));
  return { cost: by(size, ofCharacter), size };
};

const pattern = (text: Span, of: Span) => times(by(plus(text, exactly(1)), ofCharacter), by(of, ofPattern));
const find: Estimate = (args) => ({
  cost: pattern(sizeOf(args), sizeOf(args, 1)),
  size: { least: 0, most: sizeOf(args).most },
});

/** The four or sixteen bytes of an address. */
const bytes: Span = { least: 4, most: 16 };
const parsed = (args: readonly Given[], { params }: Overload) =>
  params[1]?.kind === 'string' ? by(sizeOf(args, 1), ofCharacter) : exactly(0);

const longestFormat = 128;
const allocating = (size: Span, factor = 1): CallCost => ({
  cost: plus(by(size, factor), exactly(1 + ofNewList)),
  size,
});
const numberAt = (args: readonly Given[], index: number, otherwise: number): number => {
  const found = args[index]?.expression;
  return found?.is === 'literal' && typeof found.value === 'bigint' ? Math.max(0, Number(found.value)) : otherwise;
};

const sorting: Estimate = (args, overload) => {
  const keys = args.at(-1);
  const size = keys?.size ?? unknownSize;
  const item = overload.params.at(-1)?.of[0];
  return allocating(times(size, size), item && isTextual(item) ? 2 + ofCharacter : 2);
};

const comparing: Estimate = (args, { params }) => {
  const isOpaque = args.every(({ type }) => type.kind === 'object' && type.fields === undefined);
  if (isOpaque || !['string', 'bytes', 'parameter'].includes(params[0]?.kind ?? '')) return nominal;
  const most = Math.min(sizeOf(args).most, sizeOf(args, 1).most);
  return { cost: by({ least: most > 0 ? 1 : 0, most }, ofCharacter) };
};

const adding: Estimate = (args, { params }) => {
  const kind = params[0]?.kind ?? '';
  const size = plus(sizeOf(args), sizeOf(args, 1));
  if (kind === 'list') return { cost: exactly(1), size };
  return kind === 'string' || kind === 'bytes' ? { cost: by(size, ofCharacter), size } : nominal;
};

const setCost =
  (factor: number): Estimate =>
  (args) => ({ cost: plus(by(times(sizeOf(args), sizeOf(args, 1)), factor), exactly(1)) });

const texts: Estimate = (args, overload) => {
  const [from] = overload.params;
  if (from?.kind === 'bytes' && overload.name === 'string')
    return {
      cost: by(sizeOf(args), ofCharacter),
      size: { least: Math.floor(sizeOf(args).least / 4), most: sizeOf(args).most },
    };
  if (from?.kind === 'string' && overload.name === 'bytes')
    return { cost: by(sizeOf(args), ofCharacter), size: { least: sizeOf(args).least, most: sizeOf(args).most * 4 } };
  return nominal;
};

const relations = ['==', '!=', '<', '<=', '>', '>='];

const estimates: Readonly<Record<string, Estimate>> = {
  ...Object.fromEntries(relations.map((sign) => [`_${sign}_`, comparing])),
  '_+_': adding,
  '@in': (args, { params }) => (params[1]?.kind === 'list' ? { cost: sizeOf(args, 1) } : nominal),
  check: () => ({ cost: exactly(ofCheck) }),
  ...Object.fromEntries(
    ['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'].map((name) => [name, throughItems]),
  ),
  ...Object.fromEntries(['lowerAscii', 'upperAscii', 'substring', 'trim', 'url'].map((name) => [name, traversalKept])),
  ...Object.fromEntries(
    ['cidr', 'isIP', 'isCIDR', 'quantity', 'isQuantity', 'semver', 'isSemver'].map((name) => [name, traversal]),
  ),
  ip: (args, overload) => (overload.isMember ? nominal : traversal(args, overload)),
  'ip.isCanonical': twice,
  replace,
  split,
  join,
  find,
  findAll: find,
  matches: (args) => ({ cost: pattern(sizeOf(args), sizeOf(args, 1)) }),
  contains: (args) => ({ cost: times(by(sizeOf(args), ofCharacter), by(sizeOf(args, 1), ofCharacter)) }),
  startsWith: (args) => ({ cost: by(sizeOf(args, 1), ofCharacter) }),
  endsWith: (args) => ({ cost: by(sizeOf(args, 1), ofCharacter) }),
  format: (args) => ({ cost: by(sizeOf(args), ofCharacter) }),
  string: texts,
  bytes: texts,
  'strings.quote': (args) => ({
    cost: by(sizeOf(args), ofCharacter),
    size: { least: sizeOf(args).least + 2, most: sizeOf(args).most * 2 + 2 },
  }),
  containsIP: (args, overload) => ({ cost: plus(by(plus(bytes, bytes), ofCharacter), parsed(args, overload)) }),
  containsCIDR: (args, overload) => ({
    cost: plus(by(plus(bytes, bytes), ofCharacter), by(bytes, ofCharacter), exactly(1), parsed(args, overload)),
  }),
  validate: (args) => ({ cost: by(by(sizeOf(args, 1), ofCharacter), longestFormat * ofPattern) }),
  'sets.contains': setCost(1),
  'sets.intersects': setCost(1),
  'sets.equivalent': setCost(2),
  slice: (args) => {
    const count = numberAt(args, 2, sizeOf(args).most) - numberAt(args, 1, 0);
    // The counter of the API server has no sign.
    return allocating(exactly(count < 0 ? boundless : count));
  },
  'lists.range': (args) => allocating(exactly(numberAt(args, 0, boundless))),
  reverse: (args) => allocating(sizeOf(args)),
  flatten: (args) => allocating(sizeOf(args), args.length > 1 ? numberAt(args, 1, boundless) : 1),
  distinct: (args) => allocating(times(sizeOf(args), sizeOf(args)), 2),
  sort: sorting,
  '@sortByAssociatedKeys': sorting,
  '_[_]': (args) => ({ cost: exactly(1), size: args[0]?.itemSize ?? unknownSize }),
};

/** The spans of several overloads that a call may come to. */
export const covering = (costs: readonly CallCost[]): CallCost => {
  const [one = nominal, ...others] = costs;
  return others.reduce<CallCost>(
    (all, { cost, size }) => ({
      cost: either(all.cost, cost),
      ...(size && all.size ? { size: either(all.size, size) } : size ? { size } : all.size ? { size: all.size } : {}),
    }),
    one,
  );
};
