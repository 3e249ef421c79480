import type { Explanation } from '../../api.ts';
import { exactSpan } from './time.ts';
import { capital } from './capital.ts';

/** One line of what was known: a label, and a value in words or a moment. */
export interface FactLine {
  readonly label: string;
  readonly value: string;
  /** The moment, where the value is one; RFC 3339. */
  readonly at?: string;
}

/** `failedPods` as `failed pods`. */
const wordsOf = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase();

const isMoment = (text: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text);
/** Numbers in this range are moments in milliseconds: no count of anything here comes near it. */
const firstMoment = 1_000_000_000_000;
const lastMoment = 10_000_000_000_000;

type Scalar = string | number | boolean | null | undefined;

function scalarLine(label: string, name: string, value: Scalar): FactLine {
  if (value === null || value === undefined || value === '') return { label, value: 'none' };
  if (typeof value === 'boolean') return { label, value: value ? 'yes' : 'no' };
  if (typeof value === 'string') return isMoment(value) ? { label, value, at: value } : { label, value };
  if (value >= firstMoment && value < lastMoment) {
    const at = new Date(value).toISOString();
    return { label, value: at, at };
  }
  return { label, value: name.endsWith('Ms') ? exactSpan(value) : String(value) };
}

/** Facts come as JSON, in which all else is a list or an object. */
const isScalar = (value: unknown): value is Scalar => typeof value !== 'object' || value === null;
const textOf = (value: Scalar): string => scalarLine('', '', value).value;

/** One item of a list in words: `lint completed success`. */
const itemText = (item: unknown): string =>
  isScalar(item)
    ? textOf(item)
    : Object.values(item ?? {})
        .filter(isScalar)
        .map(textOf)
        .join(' ');

function linesOf(label: string, name: string, value: unknown): readonly FactLine[] {
  if (isScalar(value)) return [scalarLine(label, name, value)];
  if (Array.isArray(value)) return [{ label, value: value.length === 0 ? 'none' : value.map(itemText).join(', ') }];
  const { is, ...fields } = value as Readonly<Record<string, unknown>>;
  const entries = Object.entries(fields);
  const head = is === undefined && entries.length > 0 ? [] : [scalarLine(label, name, isScalar(is) ? is : '')];
  return [...head, ...entries.flatMap(([key, inner]) => linesOf(`${label}, ${wordsOf(key)}`, key, inner))];
}

type Facts = Explanation['facts'];

/** What was known of the facts, as labels and values; `unasked` says why a fact was not asked for. */
export const factLines = (facts: Facts, unasked: string): readonly FactLine[] =>
  Object.entries(facts).flatMap(([name, fact]) => {
    const label = capital(wordsOf(name));
    if (fact.is === 'known') return linesOf(label, name, fact.value);
    return [{ label, value: fact.is === 'unasked' ? unasked : `unknown: ${fact.why ?? ''}` }];
  });
