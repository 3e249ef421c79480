import { parseDocument } from 'yaml';

/** Says of a YAML text which fields it gives twice in one object; empty when there are none. */
export function yamlDuplicates(text: string): string {
  const lines = parseDocument(text, { uniqueKeys: true })
    .errors.filter(({ code }) => code === 'DUPLICATE_KEY')
    .map(({ pos: [start] }) => {
      const key = /^[^\s:]+/.exec(text.slice(start))?.[0] ?? '';
      return `  line ${text.slice(0, start).split('\n').length}: key ${JSON.stringify(key)} already set in map`;
    });
  return lines.length === 0 ? '' : `yaml: unmarshal errors:\n${lines.join('\n')}`;
}
