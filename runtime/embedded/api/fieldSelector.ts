import type { Stored } from '../store.ts';
import { at, textAt, wordOf } from './json.ts';
import type { ResourceType } from './kinds/type.ts';
import { badRequest } from './status.ts';

/** One condition of a field selector. */
export interface FieldRequirement {
  readonly holds: (object: Stored) => boolean;
  /** The only name that satisfies it. */
  readonly named?: string;
}

type Field = (object: Stored) => string;

const field =
  (...path: readonly string[]): Field =>
  (object) =>
    textAt(object, ...path);
const name = { 'metadata.name': field('metadata', 'name') };
const place = { ...name, 'metadata.namespace': field('metadata', 'namespace') };
const involved = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];
const ofObject = (prefix: string) =>
  Object.fromEntries(involved.map((part) => [`${prefix}.${part}`, field('involvedObject', part)]));

/** What the objects of a kind can be selected by, and how another field is refused. */
interface Fields {
  readonly known: Readonly<Record<string, Field>>;
  readonly refusal: (label: string) => string;
}

const unsupported = (label: string) => `field label not supported: ${label}`;
const fields = (known: Fields['known']): Fields => ({ known, refusal: unsupported });

const ofKind: Readonly<Record<string, Fields>> = {
  '/Pod': fields({
    ...place,
    'spec.nodeName': field('spec', 'nodeName'),
    'spec.host': field('spec', 'nodeName'),
    'spec.restartPolicy': field('spec', 'restartPolicy'),
    'spec.schedulerName': field('spec', 'schedulerName'),
    'spec.serviceAccountName': field('spec', 'serviceAccountName'),
    'spec.hostNetwork': (object) => wordOf(at(object, 'spec', 'hostNetwork') ?? false),
    'status.phase': field('status', 'phase'),
    'status.podIP': field('status', 'podIP'),
    'status.podIPs': field('status', 'podIP'),
    'status.nominatedNodeName': field('status', 'nominatedNodeName'),
  }),
  '/Event': fields({
    ...place,
    ...ofObject('involvedObject'),
    reason: field('reason'),
    type: field('type'),
    reportingComponent: field('reportingComponent'),
    source: (object) => textAt(object, 'source', 'component') || textAt(object, 'reportingComponent'),
  }),
  'events.k8s.io/Event': fields({
    ...place,
    ...ofObject('regarding'),
    reason: field('reason'),
    type: field('type'),
    reportingController: field('reportingComponent'),
  }),
  '/Secret': fields({ ...place, type: field('type') }),
  '/Service': fields({
    ...place,
    'spec.clusterIP': field('spec', 'clusterIP'),
    'spec.type': field('spec', 'type'),
  }),
  '/Namespace': fields({ ...name, 'status.phase': field('status', 'phase') }),
  '/Node': fields({ ...name, 'spec.unschedulable': (object) => wordOf(at(object, 'spec', 'unschedulable') ?? false) }),
  'batch/Job': {
    known: { ...place, 'status.successful': (object) => wordOf(at(object, 'status', 'succeeded') ?? 0) },
    refusal: (label) => `field label ${JSON.stringify(label)} not supported for Job`,
  },
};

const byPlaceAlone: Fields = {
  known: place,
  refusal: (label) =>
    `${JSON.stringify(label)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
};

/** What of a resource says which fields its objects can be selected by. */
export type Selectable = Pick<ResourceType, 'group' | 'kind' | 'custom'>;

function fieldsOf({ group, kind, custom }: Selectable): Fields {
  if (!custom) return ofKind[`${group}/${kind}`] ?? byPlaceAlone;
  const selectable = (custom.selectableFields ?? []).map((path) => {
    const steps = path.split('.').filter((step) => step !== '');
    return [steps.join('.'), (object: Stored) => wordOf(at(object, ...steps) ?? '')] as const;
  });
  return fields({ ...place, ...Object.fromEntries(selectable) });
}

/** The conditions of a field selector over the fields that a resource can be selected by; none when it is empty. */
export function fieldRequirements(text: string, type: Selectable): readonly FieldRequirement[] {
  const { known, refusal } = fieldsOf(type);
  return termsOf(text).map((term) => {
    const [, label = '', operator, raw = ''] = /^(.*?)(!=|==|=)(.*)$/s.exec(term) ?? [];
    if (operator === undefined) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    const value = unescaped(raw);
    const read = Object.hasOwn(known, label) ? known[label] : undefined;
    if (!read) throw badRequest(refusal(label));
    if (operator === '!=') return { holds: (object) => read(object) !== value };
    return { holds: (object) => read(object) === value, ...(label === 'metadata.name' && { named: value }) };
  });
}

/** At commas that are not escaped. */
const termsOf = (text: string) => (text.match(/(?:\\.|[^,\\]|\\$)+/gs) ?? []).toSorted();

function unescaped(text: string): string {
  const bare = /^(?:\\.|[^\\])*?(?<!\\)([,=])/s.exec(text);
  if (bare) throw badRequest(`invalid field selector: unescaped character in value: ${(bare[1] ?? '').charCodeAt(0)}`);
  const invalid = /(?:^|[^\\])(?:\\\\)*(\\(?![\\,=]).?)/s.exec(text);
  if (invalid) throw badRequest(`invalid field selector: invalid escape sequence: ${invalid[1] ?? ''}`);
  return text.replace(/\\([\\,=])/g, '$1');
}
