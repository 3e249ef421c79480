import { type Document, LineCounter, type YAMLMap, isNode, isScalar, visit } from 'yaml';

/** As many as the API server names of a JSON body. */
const mostListed = 100;

interface Twice {
  readonly name: string;
  readonly at: number;
}

/** Says of a YAML document which keys it gives twice in one mapping; empty when there are none. */
export function duplicateKeys(document: Document.Parsed, text: string): string {
  const found: Twice[] = [];
  visit(document, {
    Map: (_, map) => {
      found.push(...twiceIn(map));
      return found.length < mostListed ? undefined : visit.BREAK;
    },
  });
  const lineAt = lineCounter(text);
  const lines = found
    .slice(0, mostListed)
    .map(({ name, at }) => `  line ${lineAt(at)}: key ${JSON.stringify(name)} already set in map`);
  return lines.length === 0 ? '' : `yaml: unmarshal errors:\n${lines.join('\n')}`;
}

function twiceIn(map: YAMLMap): readonly Twice[] {
  const names = new Set<unknown>();
  const twice: Twice[] = [];
  for (const { key } of map.items) {
    if (!isScalar(key) || twice.length >= mostListed) continue;
    if (names.has(key.value)) twice.push({ name: String(key.value), at: isNode(key) ? (key.range?.[0] ?? 0) : 0 });
    names.add(key.value);
  }
  return twice;
}

function lineCounter(text: string): (at: number) => number {
  const counter = new LineCounter();
  counter.addNewLine(0);
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) counter.addNewLine(at + 1);
  return (at) => counter.linePos(at).line;
}
