import { type Json, isJson, mapped, mappedItems } from '../json.ts';
import { fitsInteger } from '../schema/format.ts';
import type { Definition, Shape } from './definition.ts';
import { definition } from './definitions.ts';
import { goTypeOf, innerType } from './goType.ts';
import type { Mismatch, Unreadable } from './mismatch.ts';
import { readPlain } from './plain.ts';

/** What reading an object comes to: the object without what is unknown or null, or the first thing that does not fit. */
export type Reading =
  { readonly object: Json; readonly unknown: readonly string[] } | { readonly unreadable: Unreadable };

class Stop extends Error {
  readonly unreadable: Unreadable;

  constructor(unreadable: Unreadable) {
    super(unreadable.is);
    this.unreadable = unreadable;
  }
}

/** Reads an object as one of a published type. */
export function readAs(name: string, object: Json): Reading | null {
  const found = definition(name);
  if (!found) return null;
  const unknown: string[] = [];
  const root: Place = { above: null, holder: '', step: '', isField: false, goType: undefined, unknown };
  try {
    return { object: readObject(found, object, root), unknown };
  } catch (why) {
    if (why instanceof Stop) return { unreadable: why.unreadable };
    throw why;
  }
}

/** Where a value stands; its path is built only when it is reported. */
interface Place {
  readonly above: Place | null;
  /** The full name of the type whose field it is. */
  readonly holder: string;
  readonly step: string | number;
  /** Whether the step is the name of a field, and not a position in a list or the key of a map. */
  readonly isField: boolean;
  readonly goType: string | undefined;
  readonly unknown: string[];
}

function readObject({ name, fields }: Definition, value: Json, place: Place): Json {
  return mapped(value, (inner, key) => {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (!field) noteUnknown(below(place, key));
    if (!field || inner === null || inner === undefined) return undefined;
    const { shape, goType } = field;
    return readShape(shape, inner, {
      above: place,
      holder: name,
      step: key,
      isField: true,
      goType,
      unknown: place.unknown,
    });
  });
}

/** As many as the API server names. */
const mostUnknown = 100;

function noteUnknown(place: Place): void {
  if (place.unknown.length < mostUnknown) place.unknown.push(pathOf(place));
}

function readShape(shape: Shape, value: unknown, place: Place): unknown {
  switch (shape.is) {
    case 'any':
      return value;
    case 'plain':
      return plain(shape, value, place);
    case 'list':
      if (!Array.isArray(value)) throw mismatch(shape, value, place, 'list');
      return mappedItems(value, (item, index) => readShape(shape.of, item ?? zero(shape.of), below(place, index)));
    case 'map':
      if (!isJson(value)) throw mismatch(shape, value, place, 'map');
      return mapped(value, (inner, key) => readShape(shape.of, inner ?? zero(shape.of), below(place, key)));
    case 'ref':
      return readRef(shape, value, place);
  }
}

const below = (place: Place, step: string | number): Place => ({
  above: place,
  holder: place.holder,
  step,
  isField: false,
  goType: innerType(place.goType),
  unknown: place.unknown,
});

function pathOf({ above, step }: Place): string {
  const before = above === null ? '' : pathOf(above);
  if (typeof step === 'number') return `${before}[${step}]`;
  return before === '' ? step : `${before}.${step}`;
}

const fieldsOf = ({ above, step, isField }: Place): readonly string[] => [
  ...(above === null ? [] : fieldsOf(above)),
  ...(isField ? [String(step)] : []),
];

function zero(shape: Shape): unknown {
  if (shape.is === 'ref') return definition(shape.name)?.plain ? null : {};
  if (shape.is !== 'plain') return shape.is === 'list' ? [] : {};
  return shape.type === 'string' ? '' : shape.type === 'boolean' ? false : 0;
}

function readRef(shape: Extract<Shape, { is: 'ref' }>, value: unknown, place: Place): unknown {
  const found = definition(shape.name);
  if (found?.plain) {
    const read = readPlain(shape.name, value, place.above?.goType);
    if (read.why !== undefined) throw new Stop({ is: 'said', why: read.why });
    return read.value;
  }
  if (!isJson(value)) throw mismatch(shape, value, place, 'object');
  return found ? readObject(found, value, place) : value;
}

function plain(shape: Extract<Shape, { is: 'plain' }>, value: unknown, place: Place): unknown {
  const { type, format } = shape;
  if (type === 'string') {
    if (typeof value !== 'string') throw mismatch(shape, value, place, 'text');
    if (format === 'byte') return bytes(value);
    return value;
  }
  if (type === 'boolean') {
    if (typeof value !== 'boolean') throw mismatch(shape, value, place, 'boolean');
    return value;
  }
  if (typeof value !== 'number') throw mismatch(shape, value, place, type === 'integer' ? 'integer' : 'number');
  if (type === 'integer' && !(Number.isInteger(value) && fitsInteger(format, value)))
    throw mismatch(shape, value, place, 'integer');
  return value;
}

function bytes(value: string): string {
  const at =
    /[^A-Za-z0-9+/=\r\n]/.exec(value)?.index ?? (value.replace(/[\r\n]/g, '').length % 4 === 0 ? -1 : value.length);
  if (at >= 0)
    throw new Stop({ is: 'said', why: `illegal base64 data at input byte ${at - (at === value.length ? at % 4 : 0)}` });
  return value;
}

function mismatch(shape: Shape, value: unknown, place: Place, wanted: Mismatch['wanted']): Stop {
  const { goType } = place;
  const holder = place.holder.split('.').at(-1) ?? '';
  const path = fieldsOf(place);
  const type = goTypeOf({ shape, ...(goType !== undefined && { goType }) });
  return new Stop({ is: 'mismatch', mismatch: { value, holder, path, goType: type, wanted } });
}
