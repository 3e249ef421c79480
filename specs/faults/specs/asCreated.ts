import type { Schema } from '../../../crds/schema.ts';
import { canonicalJson } from '../../../rules/canonical.ts';
import type { Fields } from './merge.ts';
import { isObject } from '../../../rules/json.ts';

const staysAsCreated =
  /^has\(self\.(\w+)\) == has\(oldSelf\.\1\) && \(!has\(self\.\1\) \|\| self\.\1 == oldSelf\.\1\)(?: && |$)/;

/** The fields that a rule compares with their previous values, in order; none when the rule says anything else. */
export function fieldsThatStay(rule: string): readonly string[] {
  const names: string[] = [];
  let rest = rule;
  for (let found = staysAsCreated.exec(rest); found; found = staysAsCreated.exec(rest)) {
    names.push(found[1] ?? '');
    rest = rest.slice(found[0].length);
  }
  return rest === '' ? names : [];
}

const only = (fields: Fields, isMeant: (name: string) => boolean): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => isMeant(name)));

/** What may be written over a stored spec, and the refusals for the rest of it. */
export interface AsCreated {
  readonly spec: unknown;
  readonly refusals: readonly string[];
}

/** Immutable fields keep their stored value, because the rule refuses any other. */
export function asCreated({ properties = {}, ...schema }: Schema, stored: unknown, written: unknown): AsCreated {
  if (!isObject(stored) || !isObject(written)) return { spec: written, refusals: [] };
  const said = (spec: Fields, name: string) => canonicalJson(spec[name] ?? properties[name]?.default ?? null);
  const rules = (schema['x-kubernetes-validations'] ?? []).map(({ rule, message }) => ({
    message,
    fields: fieldsThatStay(rule),
  }));
  const broken = rules.filter(({ fields }) => fields.some((name) => said(written, name) !== said(stored, name)));
  const stays = (name: string) => broken.some(({ fields }) => fields.includes(name));
  return {
    spec: { ...only(written, (name) => !stays(name)), ...only(stored, stays) },
    refusals: broken.map(({ message }) => message),
  };
}
