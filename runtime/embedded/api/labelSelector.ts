import type { Stored } from '../store.ts';
import { labelValue, valueRule } from './kinds/metadata.ts';
import { qualifiedNameWhys } from './kinds/qualifiedName.ts';
import { badRequest } from './status.ts';

/** One condition of a label selector. */
export interface LabelRequirement {
  readonly holds: (object: Stored) => boolean;
  /** Only these values of one label satisfy it. */
  readonly labelled?: { readonly label: string; readonly values: readonly string[] };
}

/** The conditions of a label selector, equality- or set-based; none when it is empty. */
export function labelRequirements(text: string): readonly LabelRequirement[] {
  const tokens = readerOf(text);
  const requirements: LabelRequirement[] = [];
  for (;;) {
    const first = tokens.peek();
    if (first === '') return requirements;
    if (!isWord(first) && first !== '!')
      throw badRequest(`found '${first}', expected: !, identifier, or 'end of string'`);
    requirements.push(requirement(tokens));
    const end = tokens.next();
    if (end === '') return requirements;
    if (end !== ',') throw badRequest(`found '${end}', expected: ',' or 'end of string'`);
    const following = tokens.peek();
    if (!isWord(following) && following !== '!')
      throw badRequest(`found '${following}', expected: identifier after ','`);
  }
}

interface Tokens {
  /** The token that comes next; empty at the end. */
  readonly peek: () => string;
  readonly next: () => string;
}

const pattern = /\s+|==|!=|[=!(),<>]|[^\s=!(),<>]+/g;

function readerOf(text: string): Tokens {
  const tokens = (text.match(pattern) ?? []).filter((token) => token.trim() !== '');
  let index = 0;
  return {
    peek: () => tokens[index] ?? '',
    next: () => tokens[index++] ?? '',
  };
}

const isWord = (token: string) => token !== '' && !/^[=!(),<>]/.test(token);
const wrong = (why: string) => badRequest(`unable to parse requirement: ${why}`);

function requirement(tokens: Tokens): LabelRequirement {
  const first = tokens.next();
  const not = first === '!';
  const key = not ? tokens.next() : first;
  if (!isWord(key)) throw wrong(`found '${key}', expected: identifier`);
  const whys = qualifiedNameWhys(key);
  if (whys.length > 0) throw wrong(`<nil>: Invalid value: ${JSON.stringify(key)}: ${whys.join('; ')}`);
  if (not || tokens.peek() === '' || tokens.peek() === ',')
    return { holds: (object) => (labelOf(object, key) === undefined) === not };
  return compared(key, tokens);
}

const labelOf = (object: Stored, key: string) => object.metadata.labels?.[key];
const integer = /^[-+]?\d+$/;
/** What is no integer is neither more nor less than one. */
const integerOf = (label = '') => (integer.test(label) ? Number(label) : Number.NaN);
const operators = ['=', '==', '!=', 'in', 'notin', '>', '<'];

function compared(key: string, tokens: Tokens): LabelRequirement {
  const operator = tokens.next();
  if (!operators.includes(operator)) throw wrong(`found '${operator}', expected: in, notin, =, ==, !=, gt, lt`);
  const values = operator === 'in' || operator === 'notin' ? listed(tokens) : [exact(tokens)];
  checkValues(key, operator, values);
  const [limit = ''] = values;
  switch (operator) {
    case '!=':
    case 'notin':
      return { holds: (object) => !values.includes(labelOf(object, key) ?? '\0') };
    case '>':
      return { holds: (object) => integerOf(labelOf(object, key)) > Number(limit) };
    case '<':
      return { holds: (object) => integerOf(labelOf(object, key)) < Number(limit) };
    default:
      return {
        holds: (object) => values.includes(labelOf(object, key) ?? '\0'),
        labelled: { label: key, values },
      };
  }
}

function checkValues(key: string, operator: string, values: readonly string[]): void {
  const faults = values.flatMap((value, index) => [
    ...((operator === '>' || operator === '<') && !integer.test(value)
      ? [
          `values[${index}]: Invalid value: ${JSON.stringify(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
        ]
      : []),
    ...(value.length > 63
      ? [`values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}: must be no more than 63 bytes`]
      : []),
    ...(labelValue.test(value)
      ? []
      : [`values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}: ${valueRule}`]),
  ]);
  if (faults.length > 0) throw wrong(faults.length === 1 ? (faults[0] ?? '') : `[${faults.join(', ')}]`);
}

function exact(tokens: Tokens): string {
  const following = tokens.peek();
  if (following === '' || following === ',') return '';
  const value = tokens.next();
  if (!isWord(value)) throw wrong(`found '${value}', expected: identifier`);
  return value;
}

/** `(a, b)`; an item that is left out stands for the empty value. */
function listed(tokens: Tokens): readonly string[] {
  const open = tokens.next();
  if (open !== '(') throw wrong(`found '${open}' expected: '('`);
  if (tokens.peek() === ')') {
    tokens.next();
    return [''];
  }
  if (!isWord(tokens.peek()) && tokens.peek() !== ',')
    throw wrong(`found '${tokens.peek()}', expected: ',', ')' or identifier`);
  const values = new Set<string>();
  for (;;) {
    const item = isWord(tokens.peek()) ? tokens.next() : '';
    values.add(item);
    const end = tokens.next();
    if (end === ')') return [...values].toSorted();
    if (end === ',' && (isWord(tokens.peek()) || tokens.peek() === ',' || tokens.peek() === ')')) continue;
    throw wrong(
      end === ',' ? `found '${tokens.peek()}', expected: ',', or identifier` : `found '${end}', expected: ',' or ')'`,
    );
  }
}
