import type { Call } from '../call.ts';
import { type Sent, duplicatesIn } from '../body.ts';
import { goQuote } from '../goQuote.ts';
import { type Json, isJson, wordOf } from '../json.ts';
import { definitionName } from '../published/definitions.ts';
import { type Unreadable, inJson, inPatch } from '../published/mismatch.ts';
import { readAs } from '../published/read.ts';
import { invalidValue } from '../schema/cause.ts';
import { type StatusError, badRequest, invalid, resourceOf } from '../status.ts';
import type { ResourceType } from './type.ts';

/** Where an object that is read came from: how what is wrong with it is said. */
export interface Source {
  readonly refuse: (why: string) => StatusError;
  readonly words: (unreadable: Unreadable) => string;
}

/** The body of a request. */
export const inBody = ({ kind, version }: ResourceType): Source => ({
  refuse: (why) => badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${why}`),
  words: inJson,
});

/** Its text is built only when it is reported, which is rare. */
const inPatchOf = (text: () => string): Source['refuse'] => {
  return (why) => invalid('', '', '', [invalidValue('patch', text(), why)]);
};

/** What a JSON or merge patch made. */
export const inPatched = (patched: Json): Source => ({
  refuse: inPatchOf(() => JSON.stringify(patched)),
  words: inJson,
});

/** What a strategic merge patch made. */
export const inStrategicPatch = (patch: Json): Source => ({ refuse: inPatchOf(() => goText(patch)), words: inPatch });

/** A JSON value as Go prints it. */
export function goText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (value === null || value === undefined) return '<nil>';
  if (!isJson(value)) return wordOf(value);
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `map[${fields.map(([name, inner]) => `${name}:${goText(inner)}`).join(' ')}]`;
}

/** The name under which the type of a built-in kind is published; the stored one where groups share their objects. */
export function publishedName(type: ResourceType): string {
  const known = publishedNames.get(type);
  if (known !== undefined) return known;
  const { bucket, group, version, kind } = type;
  const stored = resourceOf(bucket).group;
  const name = definitionName(stored, stored === group ? version : 'v1', kind);
  publishedNames.set(type, name);
  return name;
}

const publishedNames = new WeakMap<ResourceType, string>();

/** An object of a built-in kind without what is unknown; refuses what is none. */
export const readBuiltIn = (call: Call, object: Json, source: Source, stray: readonly string[] = []): Json =>
  readPublished(call, publishedName(call.type), object, { ...source, stray });

/** A scale without what is unknown; refuses what is none. */
export const readScale = (call: Call, scale: Json, source: Source): Json =>
  readPublished(call, definitionName('autoscaling', 'v1', 'Scale'), scale, source);

interface Stray {
  /** Warnings found earlier, reported along with the unknown fields. */
  readonly stray?: readonly string[];
}

function readPublished(call: Call, name: string, object: Json, { refuse, words, stray = [] }: Source & Stray): Json {
  const reading = readAs(name, object);
  if (!reading) return object;
  if ('unreadable' in reading) throw refuse(words(reading.unreadable));
  reportStray(call, [...stray, ...reading.unknown.map(unknownField)], refuse);
  return reading.object;
}

/** Warns of unknown fields or refuses them, as the client wants it. */
export const reportUnknown = (call: Call, unknown: readonly string[], refuse: Source['refuse']): void =>
  reportStray(call, unknown.map(unknownField), refuse);

export const unknownField = (path: string) => `unknown field ${goQuote(path)}`;

/** Warns of fields that a body gives twice or refuses them, as the client wants it. */
export function reportDuplicates(call: Call, sent: Sent): void {
  reportStray(call, duplicatesOf(call, sent), inBody(call.type).refuse);
}

/** What of a body is given twice, where anybody wants to know. */
export const duplicatesOf = ({ query }: Call, sent: Sent): readonly string[] =>
  query.get('fieldValidation') === 'Ignore' ? [] : duplicatesIn(sent);

/** Warns of what is stray in an object or refuses it, as the client wants it. */
export function reportStray({ query, warn }: Call, texts: readonly string[], refuse: Source['refuse']): void {
  const mode = query.get('fieldValidation') || 'Warn';
  if (mode === 'Warn') texts.forEach(warn);
  if (mode === 'Strict' && texts.length > 0) throw refuse(`strict decoding error: ${texts.join(', ')}`);
}
