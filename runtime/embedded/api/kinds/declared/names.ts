import { type Json, jsonAt, listAt, textAt } from '../../json.ts';
import { invalidValue, required } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';
import { labelFaults, mixedFaults } from './label.ts';

const each = (names: Json, field: string): readonly Cause[] =>
  listAt(names, field).flatMap((name, index) => labelFaults(`spec.names.${field}[${index}]`, String(name)));

/** What is wrong with the names by which a kind is to be known. */
export function nameFaults(spec: Json): readonly Cause[] {
  const names = jsonAt(spec, 'names');
  const kind = textAt(names, 'kind');
  const listKind = textAt(names, 'listKind');
  const checked = (name: string, check: typeof labelFaults) => {
    const text = textAt(names, name);
    return text === '' ? [required(`spec.names.${name}`)] : check(`spec.names.${name}`, text);
  };
  return [
    ...checked('plural', labelFaults),
    ...checked('singular', labelFaults),
    ...checked('kind', mixedFaults),
    ...checked('listKind', mixedFaults),
    ...each(names, 'shortNames'),
    ...(kind !== '' && kind === listKind
      ? [invalidValue('spec.names.listKind', listKind, 'kind and listKind may not be the same')]
      : []),
    ...each(names, 'categories'),
  ];
}
