import type { Stored } from '../store.ts';
import { at, textAt, wordOf } from './json.ts';
import { badRequest } from './status.ts';

/** Whether an object is selected. */
export type Selector = (object: Stored) => boolean;

/** What a request selects, and what of it leads to the objects without a look at all of them. */
export interface Selection {
  readonly holds: Selector;
  /** Nothing without one of these values of the label is selected. */
  readonly labelled: Labelled | null;
  /** Nothing of another name is selected. */
  readonly named: string | null;
}

interface Labelled {
  readonly label: string;
  readonly values: readonly string[];
}

/** One condition of a selector; `labelled` where only these values of one label satisfy it. */
interface Requirement {
  readonly holds: Selector;
  readonly labelled?: Labelled;
}

const labelKey = '[A-Za-z0-9](?:[-A-Za-z0-9_./]*[A-Za-z0-9])?';
const setBased = new RegExp(`^(${labelKey})\\s+(in|notin)\\s*\\(([^()]*)\\)$`);
const equality = new RegExp(`^(${labelKey})\\s*(==|=|!=)\\s*([-A-Za-z0-9_.]*)$`);
const numeric = new RegExp(`^(${labelKey})\\s*(>|<)\\s*(-?\\d+)$`);
const existence = new RegExp(`^(!?)\\s*(${labelKey})$`);

const labelOf = (object: Stored, key: string) => object.metadata.labels?.[key];

/** A label selector, equality- or set-based; no requirement when there is none. */
const labelRequirements = (text: string): readonly Requirement[] => splitOutsideBrackets(text).map(labelRequirement);

/** At commas, but not at those inside of `in (…)`. */
const splitOutsideBrackets = (text: string) =>
  text
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== '');

function labelRequirement(text: string): Requirement {
  const set = setBased.exec(text);
  if (set) {
    const [, key = '', operator, list = ''] = set;
    const values = list.split(',').map((value) => value.trim());
    return operator === 'in'
      ? oneOf(key, values)
      : { holds: (object) => !values.includes(labelOf(object, key) ?? '\0') };
  }
  const equal = equality.exec(text);
  if (equal) {
    const [, key = '', operator, value = ''] = equal;
    return operator === '!=' ? { holds: (object) => labelOf(object, key) !== value } : oneOf(key, [value]);
  }
  const bound = numeric.exec(text);
  if (bound) {
    const [, key = '', operator, limit] = bound;
    const holds = (value: number) => (operator === '>' ? value > Number(limit) : value < Number(limit));
    return { holds: (object) => holds(Number(labelOf(object, key) ?? Number.NaN)) };
  }
  const exists = existence.exec(text);
  if (!exists) throw badRequest(`unable to parse requirement: ${JSON.stringify(text)} is not a label requirement`);
  const [, not, key = ''] = exists;
  return { holds: (object) => (labelOf(object, key) === undefined) === (not === '!') };
}

const oneOf = (label: string, values: readonly string[]): Requirement => ({
  holds: (object) => values.includes(labelOf(object, label) ?? '\0'),
  labelled: { label, values },
});

type Field = (object: Stored) => string;

const field =
  (...path: readonly string[]): Field =>
  (object) =>
    textAt(object, ...path);
const everywhere: Readonly<Record<string, Field>> = {
  'metadata.name': field('metadata', 'name'),
  'metadata.namespace': field('metadata', 'namespace'),
};
const involved = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];
const ofKind: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
  Pod: {
    'spec.nodeName': field('spec', 'nodeName'),
    'spec.restartPolicy': field('spec', 'restartPolicy'),
    'spec.schedulerName': field('spec', 'schedulerName'),
    'spec.serviceAccountName': field('spec', 'serviceAccountName'),
    'status.phase': field('status', 'phase'),
    'status.podIP': field('status', 'podIP'),
    'status.nominatedNodeName': field('status', 'nominatedNodeName'),
  },
  Event: {
    ...Object.fromEntries(
      involved.flatMap((name) => [
        [`involvedObject.${name}`, field('involvedObject', name)],
        [`regarding.${name}`, field('involvedObject', name)],
      ]),
    ),
    reason: field('reason'),
    type: field('type'),
    reportingComponent: field('reportingComponent'),
    reportingController: field('reportingComponent'),
    source: field('source', 'component'),
  },
  Secret: { type: field('type') },
  Namespace: { 'status.phase': field('status', 'phase'), name: field('metadata', 'name') },
  Node: { 'spec.unschedulable': (object) => wordOf(at(object, 'spec', 'unschedulable') ?? false) },
  Job: { 'status.successful': (object) => wordOf(at(object, 'status', 'succeeded') ?? 0) },
  ReplicaSet: { 'status.replicas': (object) => wordOf(at(object, 'status', 'replicas') ?? 0) },
};

interface FieldRequirement {
  readonly holds: Selector;
  readonly named?: string;
}

/** A field selector over the fields that a kind can be selected by; no requirement when there is none. */
function fieldRequirements(text: string, kind: string): readonly FieldRequirement[] {
  const parts = text.split(',').filter((part) => part.trim() !== '');
  return parts.map((part) => {
    const [, name = '', operator, value = ''] = /^\s*([^=!\s]+)\s*(==|=|!=)\s*(.*?)\s*$/.exec(part) ?? [];
    if (operator === undefined) throw badRequest(`invalid selector: ${JSON.stringify(part)}; can't understand it`);
    const read = everywhere[name] ?? ofKind[kind]?.[name];
    if (!read) throw badRequest(`field label not supported: ${name}`);
    if (operator === '!=') return { holds: (object) => read(object) !== value };
    return { holds: (object) => read(object) === value, ...(name === 'metadata.name' && { named: value }) };
  });
}

/** Both selectors of a request as one; null selects everything. */
export function selectionOf(query: URLSearchParams, kind: string): Selection | null {
  const labels = labelRequirements(query.get('labelSelector') ?? '');
  const fields = fieldRequirements(query.get('fieldSelector') ?? '', kind);
  const all = [...labels, ...fields];
  if (all.length === 0) return null;
  return {
    holds: (object) => all.every(({ holds }) => holds(object)),
    labelled: labels.find(({ labelled }) => labelled)?.labelled ?? null,
    named: fields.find(({ named }) => named !== undefined)?.named ?? null,
  };
}

/** Whether a request selects an object; null selects everything. */
export const selectorOf = (query: URLSearchParams, kind: string): Selector | null =>
  selectionOf(query, kind)?.holds ?? null;
