import type { Schema } from '../../../crds/schema.ts';
import { fieldsThatStay } from './asCreated.ts';
import type { Fields } from './merge.ts';

const without = (fields: Fields, dropped: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name !== dropped));

/** A form of rule, and how fields that violate it are made to satisfy it. */
interface Form {
  readonly rule: RegExp;
  /** The groups of the rule are its words. */
  readonly keep: (fields: Fields, ...words: readonly string[]) => Fields;
}

const forms: readonly Form[] = [
  {
    rule: /^!\(has\(self\.(\w+)\) && has\(self\.(\w+)\)\)$/,
    keep: (fields, first = '', second = '') => (first in fields ? without(fields, second) : fields),
  },
  {
    rule: /^!has\(self\.(\w+)\) \|\| !has\(self\.(\w+)\) \|\| self\.\1 <= self\.\2$/,
    keep: (fields, first = '', second = '') =>
      Number(fields[first]) > Number(fields[second])
        ? { ...fields, [first]: fields[second], [second]: fields[first] }
        : fields,
  },
  {
    rule: /^\(self\.(\w+) == '(\w+)'\) == \(self\.(\w+) in \[([^\]]+)\]\)$/,
    keep(fields, ...[field = '', value = '', other = '', list = '']) {
      const listed = [...list.matchAll(/'(\w+)'/g)].map(([, one = '']) => one);
      const isListed = listed.some((one) => one === fields[other]);
      if (isListed) return { ...fields, [field]: value };
      return fields[field] === value ? { ...fields, [other]: listed[0] } : fields;
    },
  },
];

/**
 * The supported rules of an object's schema: those that require exactly one of some fields, and those of a form that
 * fields are made to satisfy. Immutable fields are arbitrary at first.
 */
export function rulesOf({ 'x-kubernetes-validations': rules = [] }: Schema): {
  readonly alternatives: readonly string[];
  readonly keep: (fields: Fields) => Fields;
} {
  const alternatives: string[] = [];
  const keeping: ((fields: Fields) => Fields)[] = [];
  for (const { rule, message } of rules) {
    const form = forms.find((one) => one.rule.test(rule));
    const [, ...words] = form?.rule.exec(rule) ?? [];
    if (form) keeping.push((fields) => form.keep(fields, ...words));
    else if (rule.endsWith('== 1')) alternatives.push(...fieldsAskedFor(rule));
    else if (fieldsThatStay(rule).length === 0) throw unknownForm(message);
  }
  return { alternatives, keep: (fields) => keeping.reduce((kept, keep) => keep(kept), fields) };
}

/** The patterns of a text: those that its schema and its rules require, and those that its rules refuse. */
export function patternsOf({ pattern, 'x-kubernetes-validations': rules = [] }: Schema): Patterns {
  const required: string[] = pattern === undefined ? [] : [pattern];
  const refused: string[] = [];
  for (const { rule, message } of rules) {
    const [, orEmpty, not, literal] = /^(self == '' \|\| )?(!)?self\.matches\('(.*)'\)$/.exec(rule) ?? [];
    if (literal === undefined) throw unknownForm(message);
    // One backslash of the pattern is written as two in a CEL string.
    const asked = literal.replaceAll('\\\\', '\\');
    if (not !== undefined) refused.push(asked);
    else required.push(orEmpty === undefined ? asked : `^$|${asked}`);
  }
  return { required: required.map(expressionOf), refused: refused.map(expressionOf) };
}

interface Patterns {
  readonly required: readonly RegExp[];
  readonly refused: readonly RegExp[];
}

/** RE2 takes its flags at the beginning of a pattern. */
const expressionOf = (pattern: string): RegExp =>
  new RegExp(pattern.replace(/^\(\?i\)/, ''), pattern.startsWith('(?i)') ? 'i' : '');

const unknownForm = (message: string) => new Error(`nothing here knows how to keep the rule: ${message}`);

const fieldsAskedFor = (rule: string): readonly string[] =>
  [...rule.matchAll(/has\(self\.(\w+)\)/g)].map(([, name = '']) => name.replace(/^__(\w+)__$/, '$1'));
