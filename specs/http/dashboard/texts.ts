import { readdirSync, readFileSync } from 'node:fs';
import { parse } from '@babel/parser';

const home = new URL('../../../http/dashboard/', import.meta.url);

interface Node {
  readonly type?: unknown;
  readonly value?: unknown;
  readonly source?: unknown;
}

/** Names of classes, icons and tags are strings too. */
const isOneName = (text: string): boolean => /^[a-z]+$/.test(text);

/** Texts that may be shown: between tags, in strings and in templates, except import paths. */
function textsIn(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(textsIn);
  if (typeof node !== 'object' || node === null) return [];
  const { type, value, source } = node as Node;
  if (type === 'ImportDeclaration' || (type === 'ExportNamedDeclaration' && source !== null)) return [];
  if (type === 'StringLiteral' && typeof value === 'string') return isOneName(value) ? [] : [value];
  if (type === 'JSXText' && typeof value === 'string') return [value.replaceAll(/\s+/g, ' ').trim()];
  if (type === 'TemplateElement') return [(value as { readonly cooked: string }).cooked.trim()];
  return Object.values(node).flatMap(textsIn);
}

/** Every text of a source file that may be shown. */
export const shownIn = (source: string): readonly string[] =>
  textsIn(parse(source, { sourceType: 'module', plugins: ['typescript', 'jsx'] }).program.body);

/** The sources of the dashboard, by their paths in its folder. */
export const sources: readonly (readonly [name: string, text: string])[] = readdirSync(home, {
  recursive: true,
  encoding: 'utf8',
})
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => [name, readFileSync(new URL(name, home), 'utf8')]);
