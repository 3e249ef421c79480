import type { Stored } from '../store.ts';
import { at, textAt, wordOf } from './json.ts';
import { badRequest } from './status.ts';

/** Whether an object is selected. */
export type Selector = (object: Stored) => boolean;

const labelKey = '[A-Za-z0-9](?:[-A-Za-z0-9_./]*[A-Za-z0-9])?';
const setBased = new RegExp(`^(${labelKey})\\s+(in|notin)\\s*\\(([^()]*)\\)$`);
const equality = new RegExp(`^(${labelKey})\\s*(==|=|!=)\\s*([-A-Za-z0-9_.]*)$`);
const numeric = new RegExp(`^(${labelKey})\\s*(>|<)\\s*(-?\\d+)$`);
const existence = new RegExp(`^(!?)\\s*(${labelKey})$`);

const labelOf = (object: Stored, key: string) => object.metadata.labels?.[key];

/** A label selector, equality- or set-based; null when there is none. */
export function labelSelector(text: string): Selector | null {
  const requirements = splitOutsideBrackets(text).map(labelRequirement);
  return requirements.length === 0 ? null : (object) => requirements.every((holds) => holds(object));
}

/** At commas, but not at those inside of `in (…)`. */
const splitOutsideBrackets = (text: string) =>
  text
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== '');

function labelRequirement(text: string): Selector {
  const set = setBased.exec(text);
  if (set) {
    const [, key = '', operator, list = ''] = set;
    const values = list.split(',').map((value) => value.trim());
    return operator === 'in'
      ? (object) => values.includes(labelOf(object, key) ?? '\0')
      : (object) => !values.includes(labelOf(object, key) ?? '\0');
  }
  const equal = equality.exec(text);
  if (equal) {
    const [, key = '', operator, value] = equal;
    return operator === '!=' ? (object) => labelOf(object, key) !== value : (object) => labelOf(object, key) === value;
  }
  const bound = numeric.exec(text);
  if (bound) {
    const [, key = '', operator, limit] = bound;
    const holds = (value: number) => (operator === '>' ? value > Number(limit) : value < Number(limit));
    return (object) => holds(Number(labelOf(object, key) ?? Number.NaN));
  }
  const exists = existence.exec(text);
  if (!exists) throw badRequest(`unable to parse requirement: ${JSON.stringify(text)} is not a label requirement`);
  const [, not, key = ''] = exists;
  return (object) => (labelOf(object, key) === undefined) === (not === '!');
}

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

/** A field selector over the fields that a kind can be selected by; null when there is none. */
export function fieldSelector(text: string, kind: string): Selector | null {
  const parts = text.split(',').filter((part) => part.trim() !== '');
  const requirements = parts.map((part): Selector => {
    const [, name = '', operator, value = ''] = /^\s*([^=!\s]+)\s*(==|=|!=)\s*(.*?)\s*$/.exec(part) ?? [];
    if (operator === undefined) throw badRequest(`invalid selector: ${JSON.stringify(part)}; can't understand it`);
    const read = everywhere[name] ?? ofKind[kind]?.[name];
    if (!read) throw badRequest(`field label not supported: ${name}`);
    return operator === '!=' ? (object) => read(object) !== value : (object) => read(object) === value;
  });
  return requirements.length === 0 ? null : (object) => requirements.every((holds) => holds(object));
}

/** Both selectors of a request; null selects everything. */
export function selectorOf(query: URLSearchParams, kind: string): Selector | null {
  const labels = labelSelector(query.get('labelSelector') ?? '');
  const fields = fieldSelector(query.get('fieldSelector') ?? '', kind);
  if (!labels || !fields) return labels ?? fields;
  return (object) => labels(object) && fields(object);
}
