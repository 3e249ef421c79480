import { type Json, isJson, jsonAt, listAt, textAt } from '../../../../../runtime/embedded/api/json.ts';
import type { Reply } from './client.ts';
import type { Answer, Ask } from './scene.ts';

const times = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const timed = ['creationTimestamp', 'deletionTimestamp', 'time', 'lastTransitionTime'];
/** What fields of every object are is told at length, and in words of one's own. */
const mostOwnWords = 100;
const longHelp = /^(Name must be unique|CreationTimestamp is a|Time since creation)/;
const generated = /^(.*-)[bcdfghjklmnpqrstvwxz2456789]{5}$/;

/** Shows answers in words that two servers share: uids and versions by their order, times as such. */
export function showing() {
  const known = new Map<string, string>();
  const nth = (what: string, given: string) => {
    const name =
      known.get(`${what} ${given}`) ??
      `${what}-${[...known.keys()].filter((one) => one.startsWith(`${what} `)).length + 1}`;
    known.set(`${what} ${given}`, name);
    return name;
  };
  /** A version is told by its place in a text alone: it may be any number. */
  const words = (text: string) =>
    [...known]
      .filter(([key]) => /^uid [-0-9a-f]{36}$/.test(key))
      .reduce((shown, [key, name]) => shown.replaceAll(key.slice(4), name), text)
      .replace(/Invalid value: "\{.*\}": /g, 'Invalid value: "{…}": ')
      .replace('/registry/apiextensions.kubernetes.io/', '/registry/')
      .replace(/((?:made-|dry-|Bad_))[bcdfghjklmnpqrstvwxz2456789]{5}/g, '$1…')
      .replace(
        /((?:R|r)esource[vV]ersion[^0-9]{1,40}|too old resource version: |resource version: |current: |list is too old: )(?!0x)\d+( \(\d+\))?/g,
        '$1n',
      );

  function valueOf(name: string, value: unknown): unknown {
    if (Array.isArray(value))
      return (name === 'managedFields' ? byManager(value) : value).map((item) =>
        valueOf(name === 'cells' ? 'cell' : '', item),
      );
    if (isJson(value)) return objectOf(value);
    return typeof value === 'string' && value !== '' ? textOf(name, value) : value;
  }

  function textOf(name: string, value: string): string {
    if (name === 'uid' || name.endsWith('controller-uid')) return nth('uid', value);
    if (name === 'resourceVersion') return /^\d+$/.test(value) ? nth('version', value) : value;
    if (name === 'continue') return 'token';
    if (name === 'description' && (value.length > mostOwnWords || longHelp.test(value))) return 'help';
    if (name === 'cell' && /^(?:\d+s|\d+y(?:\d+d)?)$/.test(value)) return 'age';
    if (timed.includes(name) && times.test(value)) return 'then';
    if (name === 'name') return words(value.replace(generated, '$1…'));
    return words(value);
  }

  const objectOf = (value: Json): Json =>
    Object.fromEntries(
      Object.entries(value)
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, inner]) => [name, valueOf(name, inner)]),
    );

  return (ask: Ask, { code, type, warnings, body }: Reply): Answer => {
    const seen = inOrder(ask.managers ? body : withoutManagers(body));
    return {
      asked: `${ask.method} ${ask.path.replace(/continue=[^&]+/, 'continue=…').replace(/resourceVersion=\d{2,}/, 'resourceVersion=n')}`,
      code,
      ...(type !== 'application/json' && { type }),
      ...(warnings.length > 0 && { warnings }),
      body: valueOf('', ask.look ? ask.look(isJson(seen) ? seen : {}) : seen),
    };
  };
}

/** Managers stand by the second of their last change, so their order depends on when a scene is played. */
const byManager = (entries: readonly unknown[]): readonly unknown[] => {
  const key = (entry: unknown) =>
    ['operation', 'manager', 'subresource', 'apiVersion'].map((name) => textAt(entry, name)).join(' ');
  return entries.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
};

/** Several faults of one object come in any order. */
function inOrder(value: unknown): unknown {
  if (!isJson(value) || value['kind'] !== 'Status') return value;
  const causes = listAt(value, 'details', 'causes');
  if (causes.length < 2) return value;
  const [what] = textAt(value, 'message').split(' is invalid: ');
  const key = (cause: unknown) => `${textAt(cause, 'field')} ${textAt(cause, 'message')}`;
  const sorted = causes.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
  return {
    ...value,
    message: `${what} is invalid: …`,
    details: { ...jsonAt(value, 'details'), causes: sorted },
  };
}

function withoutManagers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutManagers);
  if (!isJson(value)) return value;
  const { managedFields: _, ...metadata } = jsonAt(value, 'metadata');
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === 'metadata' && isJson(inner) ? withoutManagers(metadata) : withoutManagers(inner),
    ]),
  );
}
