import { EvaluationError } from '../evaluate/values.ts';
import { clausesOf, takes } from '../functions/format.ts';
import { functions } from '../functions/all.ts';
import { patternFault } from '../functions/regex.ts';
import { parseDuration, parseTimestamp } from '../functions/times.ts';
import type { Call, Expression, Fault } from '../parse/expression.ts';
import { isSame, shown } from '../types/type.ts';
import type { Checked } from './check.ts';

/** What is wrong with values that are written out: with texts of a form, and with lists of several types. */
export function literalFaults(root: Expression, checked: Checked): readonly Fault[] {
  if (root.is === 'call' && root.name === 'format')
    return [...formatFaults(root, checked), ...(root.target ? literalFaults(root.target, checked) : [])];
  return [...ownFaults(root, checked), ...innerOf(root).flatMap((part) => literalFaults(part, checked))];
}

function ownFaults(part: Expression, checked: Checked): readonly Fault[] {
  if (part.is === 'list') return mixed(part.items, checked);
  if (part.is === 'map')
    return [0, 1].flatMap((side) =>
      mixed(
        part.entries.map((entry) => entry[side] ?? part),
        checked,
      ),
    );
  if (part.is !== 'call') return [];
  const wanted = part.args[part.target || part.args.length === 1 ? 0 : 1];
  const says = wanted ? textFault(part.name, wanted) : null;
  return says === null || !wanted ? [] : [{ says, position: wanted.position }];
}

function mixed(items: readonly Expression[], checked: Checked): readonly Fault[] {
  const [first, ...others] = items;
  if (!first) return [];
  const wanted = checked.typeOf(first);
  const strange = others.find((one) => !isSame(wanted, checked.typeOf(one)));
  if (!strange) return [];
  const says = `expected type '${shown(wanted)}' but found '${shown(checked.typeOf(strange))}'`;
  return [{ says, position: strange.position }];
}

function textFault(name: string, { is, ...literal }: Expression): string | null {
  const value = is === 'literal' && 'value' in literal ? literal.value : null;
  if (typeof value !== 'string') return null;
  if (name === 'matches') return patternFault(value) === null ? null : 'invalid matches argument';
  if (name === 'duration') return refusal(() => parseDuration(value)) && 'invalid duration argument';
  return name === 'timestamp' ? refusal(() => parseTimestamp(value)) && 'invalid timestamp argument' : null;
}

/** A text to be filled in, where it and what it is filled in with are written out. */
function formatFaults({ target, args: [given], position }: Call, checked: Checked): readonly Fault[] {
  if (target?.is !== 'literal' || typeof target.value !== 'string' || given?.is !== 'list') return [];
  const clauses = clausesOf(target.value);
  for (const [index, clause] of clauses.entries()) {
    const item = given.items[index];
    const fits = takes[clause];
    if (!fits)
      return [{ says: `could not parse formatting clause: unrecognized formatting clause "${clause}"`, position }];
    if (!item) return [{ says: `index ${index} out of range`, position }];
    const type = checked.typeOf(item);
    if (fits.types !== null && !['dyn', ...fits.types].includes(type.kind))
      return [
        {
          says: `error during formatting: ${fits.name} clause can only be used on ${fits.words}, was given ${shown(type)}`,
          position: item.position,
        },
      ];
  }
  return [];
}

/** Why what can be worked out beforehand has no value: conversions and patterns that are written out. */
export function foldingFault(root: Expression): string | null {
  const own = root.is === 'call' ? callFault(root) : null;
  if (own !== null) return own;
  for (const part of innerOf(root)) {
    const found = foldingFault(part);
    if (found !== null) return found;
  }
  return null;
}

const folded: ReadonlySet<string> = new Set(['bool', 'double', 'int', 'uint', 'string', 'bytes']);

function callFault({ name, target, args: [first] }: Call): string | null {
  if (first?.is !== 'literal') return null;
  const { value } = first;
  if (name === 'find' || name === 'findAll') {
    return typeof value === 'string' ? patternFault(value) : null;
  }
  if (target || !folded.has(name)) return null;
  const kind = typeof value === 'bigint' ? 'int' : typeof value === 'number' ? 'double' : typeof value;
  const overload = functions.get(name)?.find(({ params }) => params.length === 1 && params[0]?.kind === kind);
  return overload ? refusal(() => (overload.run as (given: unknown) => unknown)(value)) : null;
}

/** Why something cannot be read; null where it can. */
function refusal(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof EvaluationError) return error.message;
    throw error;
  }
}

function innerOf(expression: Expression): readonly Expression[] {
  switch (expression.is) {
    case 'select':
      return [expression.operand];
    case 'call':
      return [...(expression.target ? [expression.target] : []), ...expression.args];
    case 'list':
      return expression.items;
    case 'map':
      return expression.entries.flat();
    case 'comprehension':
      return [expression.range, expression.start, expression.step, expression.result];
    default:
      return [];
  }
}
