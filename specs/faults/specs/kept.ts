import type { Schema } from '../../../crds/schema.ts';

type Fields = Readonly<Record<string, unknown>>;

const without = (fields: Fields, dropped: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name !== dropped));

/** A form of rule, and how fields that break it are brought to keep it. */
interface Form {
  readonly rule: RegExp;
  readonly keep: (fields: Fields, first: string, second: string) => Fields;
}

const forms: readonly Form[] = [
  {
    rule: /^!\(has\(self\.(\w+)\) && has\(self\.(\w+)\)\)$/,
    keep: (fields, first, second) => (first in fields ? without(fields, second) : fields),
  },
  {
    rule: /^!has\(self\.(\w+)\) \|\| !has\(self\.(\w+)\) \|\| self\.\1 <= self\.\2$/,
    keep: (fields, first, second) =>
      Number(fields[first]) > Number(fields[second])
        ? { ...fields, [first]: fields[second], [second]: fields[first] }
        : fields,
  },
];

/** The rules of a schema: those that want exactly one of some fields, and those of a form that fields are brought to. */
export function rulesOf({ 'x-kubernetes-validations': rules = [] }: Schema): {
  readonly alternatives: readonly string[];
  readonly keep: (fields: Fields) => Fields;
} {
  const alternatives: string[] = [];
  const keeping: ((fields: Fields) => Fields)[] = [];
  for (const { rule, message } of rules) {
    const form = forms.find((one) => one.rule.test(rule));
    const [, first = '', second = ''] = form?.rule.exec(rule) ?? [];
    if (form) keeping.push((fields) => form.keep(fields, first, second));
    else if (rule.endsWith('== 1')) alternatives.push(...fieldsAskedFor(rule));
    else throw new Error(`nothing here knows how to keep the rule: ${message}`);
  }
  return { alternatives, keep: (fields) => keeping.reduce((kept, keep) => keep(kept), fields) };
}

const fieldsAskedFor = (rule: string): readonly string[] =>
  [...rule.matchAll(/has\(self\.(\w+)\)/g)].map(([, name = '']) => name.replace(/^__(\w+)__$/, '$1'));
