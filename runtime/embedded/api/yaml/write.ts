import { stringify } from 'yaml';
import { isDeeper } from '../shape.ts';
import { deepest } from './document.ts';

/** What writing a JSON text as YAML comes to. */
export type YamlWriting = { readonly yaml: string; readonly why?: undefined } | { readonly why: string };

const options = { sortMapEntries: true, indentSeq: false, lineWidth: 0, aliasDuplicateObjects: false };

/** Writes JSON as YAML; not what nests so deep that it could not be read again, for it is written by recursion too. */
export function writeYaml(json: string): YamlWriting {
  const value: unknown = JSON.parse(json);
  if (isDeeper(value, deepest)) return { why: `it nests deeper than ${deepest} levels` };
  return { yaml: stringify(value, options) };
}
