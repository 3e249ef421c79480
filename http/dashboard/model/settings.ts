import type { Read } from '../../api.ts';
import { textsIn } from './details.ts';
import type { FormValues } from './form.ts';
import { listIn, listText } from './listText.ts';
import type { Field } from './settingFields.ts';

type Fields = Readonly<Record<string, unknown>>;

function at(spec: Fields, path: string): unknown {
  return path.split('.').reduce<unknown>((within, name) => (within as Fields | null | undefined)?.[name], spec);
}

const text = (value: unknown, kind: Field['kind']): string => {
  if (typeof value === 'boolean') return value ? 'on' : '';
  if (Array.isArray(value)) return listText(kind === 'lines' ? kind : 'words', textsIn(value));
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/** Some settings matter only while a switch is on. */
export const shownFields = (fields: readonly Field[], values: FormValues): readonly Field[] =>
  fields.filter(({ under }) => under === undefined || values[under] === 'on');

/** A setting as it takes effect: a switch that is off is no absent one. */
function valueOf({ path, kind, absent = '' }: Field, spec: Fields): string {
  const stored = at(spec, path);
  if (stored === false) return '';
  return text(stored, kind) || (typeof absent === 'string' ? absent : absent(spec));
}

export const valuesOf = (fields: readonly Field[], { spec }: Read): FormValues =>
  Object.fromEntries(fields.map((field) => [field.name, valueOf(field, spec)]));

const numberOf = (value = ''): number | undefined => (value === '' ? undefined : Number(value));

const bodyValue = ({ kind }: Field, value = ''): unknown => {
  switch (kind) {
    case 'switch':
      return value === 'on';
    case 'state':
      return value === 'on' ? 'on' : 'off';
    case 'number':
      return numberOf(value) ?? null;
    case 'words':
    case 'lines':
      return listIn(kind, value);
    case 'text':
    case 'choice':
      return value.trim();
    case 'secret':
    case 'secretText':
      return value;
  }
};

/** Autoscaling is one setting of the API; null takes it away. */
const scalingOf = (fields: readonly Field[], values: FormValues): object | null => {
  if (values['autoscaling'] !== 'on') return null;
  const numbers = fields.map(({ name }) => [name, numberOf(values[name])] as const);
  return {
    enabled: true,
    ...Object.fromEntries(numbers.filter(([name, value]) => name !== 'autoscaling' && value !== undefined)),
  };
};

/** Resources are one setting of the API; null takes all of them away. */
function resourcesOf(fields: readonly Field[], values: FormValues): object | null {
  const entries = fields.flatMap(({ name, path }) => {
    const [, sort = '', quantity = ''] = path.split('.');
    const value = values[name]?.trim() ?? '';
    return value === '' ? [] : [{ sort, quantity, value }];
  });
  const of = (wanted: string) => {
    const own = entries.filter(({ sort }) => sort === wanted).map(({ quantity, value }) => [quantity, value] as const);
    return own.length === 0 ? {} : { [wanted]: Object.fromEntries(own) };
  };
  return entries.length === 0 ? null : { ...of('requests'), ...of('limits') };
}

const partOf = { autoscaling: scalingOf, resources: resourcesOf } as const;

/** The body of the request that saves what was changed; empty where nothing was. */
export function changedBody(fields: readonly Field[], before: FormValues, after: FormValues): Fields {
  const changed = fields.filter(({ name }) => before[name] !== after[name]);
  const plain = changed
    .filter(({ part }) => part === undefined)
    .map((field) => [field.name, bodyValue(field, after[field.name])] as const);
  const parts = (['autoscaling', 'resources'] as const)
    .filter((part) => changed.some((field) => field.part === part))
    .map(
      (part) =>
        [
          part,
          partOf[part](
            fields.filter((field) => field.part === part),
            after,
          ),
        ] as const,
    );
  return Object.fromEntries([...plain, ...parts]);
}

/** Why what was typed cannot be saved; null where it can. The API takes resources away together alone. */
export function fieldsProblem(fields: readonly Field[], before: FormValues, after: FormValues): string | null {
  const whole = fields.find(({ name, kind }) => kind === 'number' && !/^\d*$/.test(after[name]?.trim() ?? ''));
  if (whole) return `${whole.label} must be a whole number.`;
  const resources = fields.filter(({ part }) => part === 'resources');
  const emptied = resources.find(({ name }) => before[name] !== '' && after[name] === '');
  const isSomeLeft = resources.some(({ name }) => after[name] !== '');
  return emptied && isSomeLeft
    ? `${emptied.label} cannot be taken away alone: give another amount, or empty all four.`
    : null;
}
