import type { Read } from '../../api.ts';
import type { FormValues } from './form.ts';

type Fields = Readonly<Record<string, unknown>>;

function at(spec: Fields, path: string): unknown {
  return path.split('.').reduce<unknown>((within, name) => (within as Fields | null | undefined)?.[name], spec);
}

const text = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'on' : '';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/** A setting of a service. */
export interface Field {
  readonly name: string;
  readonly word: string;
  readonly path: string;
  readonly kind: 'text' | 'number' | 'switch';
  readonly means?: string;
  /** The value of an absent setting. */
  readonly absent?: string;
  /** Only services with this source have the setting. */
  readonly source?: 'image' | 'git';
}

const scalingLimits = ['min', 'max', 'cpuPercent'];

/** Settings that apply without a deploy. */
export const atOnceFields: readonly Field[] = [
  { name: 'replicas', word: 'Copies', path: 'replicas', kind: 'number', absent: '1' },
  {
    name: 'autoscaling',
    word: 'Follow the load',
    path: 'autoscaling.enabled',
    kind: 'switch',
    means: 'Takes over the number of copies.',
  },
  { name: 'min', word: 'Fewest copies', path: 'autoscaling.min', kind: 'number' },
  { name: 'max', word: 'Most copies', path: 'autoscaling.max', kind: 'number' },
  { name: 'cpuPercent', word: 'CPU target in percent', path: 'autoscaling.cpuPercent', kind: 'number' },
  {
    name: 'host',
    word: 'Host',
    path: 'networking.host',
    kind: 'text',
    means: 'Such as shop.example.com; empty for none.',
  },
  { name: 'tls', word: 'Serve over HTTPS', path: 'networking.tls', kind: 'switch' },
];

/** Settings that wait for a deploy. */
export const onDeployFields: readonly Field[] = [
  { name: 'image', word: 'Image', path: 'source.image', kind: 'text', source: 'image' },
  { name: 'branch', word: 'Branch', path: 'source.git.branch', kind: 'text', source: 'git' },
  { name: 'context', word: 'Root directory', path: 'source.git.context', kind: 'text', source: 'git' },
  { name: 'buildfile', word: 'Recipe', path: 'source.git.buildfile', kind: 'text', source: 'git' },
  { name: 'waitForCI', word: 'Wait for CI', path: 'source.git.waitForCI', kind: 'switch', source: 'git' },
  { name: 'port', word: 'Port', path: 'port', kind: 'number' },
];

export const fieldsFor = (fields: readonly Field[], { resource }: Read): readonly Field[] =>
  fields.filter(({ source }) => source === undefined || source === resource.details['source']);

/** The limits of autoscaling matter only while it is on. */
export const shownFields = (fields: readonly Field[], values: FormValues): readonly Field[] =>
  fields.filter(({ name }) => values['autoscaling'] === 'on' || !scalingLimits.includes(name));

export const valuesOf = (fields: readonly Field[], { spec }: Read): FormValues =>
  Object.fromEntries(fields.map(({ name, path, absent = '' }) => [name, text(at(spec, path)) || absent]));

const scaling = ['autoscaling', ...scalingLimits];
const numberOf = (value = ''): number | undefined => (value === '' ? undefined : Number(value));

/** Autoscaling is one setting of the API; null takes it away. */
const scalingOf = (values: FormValues): object | null => {
  if (values['autoscaling'] !== 'on') return null;
  const given = scalingLimits.map((name) => [name, numberOf(values[name])] as const);
  return { enabled: true, ...Object.fromEntries(given.filter(([, value]) => value !== undefined)) };
};

const bodyValue = ({ kind }: Field, value = ''): unknown => {
  if (kind === 'switch') return value === 'on';
  return kind === 'number' ? (numberOf(value) ?? null) : value;
};

/** The body of the request that saves what was changed; empty where nothing was. */
export function changedBody(fields: readonly Field[], before: FormValues, after: FormValues): Fields {
  const changed = fields.filter(({ name }) => before[name] !== after[name]);
  const plain = changed.filter(({ name }) => !scaling.includes(name));
  const body = Object.fromEntries(plain.map((field) => [field.name, bodyValue(field, after[field.name])]));
  return changed.length === plain.length ? body : { ...body, autoscaling: scalingOf(after) };
}
