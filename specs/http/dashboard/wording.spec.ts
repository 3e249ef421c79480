import { readdirSync, readFileSync } from 'node:fs';
import { parse } from '@babel/parser';
import * as assert from 'uvu/assert';
import { suite } from '../../support/suite.ts';

const wording = suite('the wording of the dashboard');

const home = new URL('../../../http/dashboard/', import.meta.url);

/** Phrases that the dashboard no longer uses; variable parts are left out. */
const refused: readonly RegExp[] = [
  /\blooks? again\b/i,
  /\blook now\b/i,
  /nothing moves it by itself/i,
  /done: a push, a rebuild or a reset/i,
  /\bstands here\b/i,
  /\bgone before\b/i,
  /failed before its job|^before its job/i,
  /\barrows? as a table|\barrows? that stays?\b|^arrows?$/i,
  /list what is in/i,
  /^asked$/,
  /at the next look/i,
  /an admin has to/i,
  /your role may read, not change/i,
  /only the current build of/i,
  /are given up\b/i,
  /^keep it$/i,
  /the server is not reached/i,
  /it is asked again/i,
  /what is shown was read before/i,
  /names nothing the dashboard shows/i,
  /this page needs no refresh/i,
  /no sign-in waits with this code/i,
  /^who ask(s|ed)$/i,
  /as it calls itself/i,
  /^failed for$/i,
  /^took$/i,
  /^keys$/i,
];

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

const shownIn = (source: string): readonly string[] =>
  textsIn(parse(source, { sourceType: 'module', plugins: ['typescript', 'jsx'] }).program.body);

const sources = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));

const complaintsOf = (source: string): readonly string[] =>
  shownIn(source).filter((text) => refused.some((pattern) => pattern.test(text)));

wording('texts between tags, in attributes, strings and templates are all found', () => {
  const source = "const f = (n: number) => <a title={`Looks again in ${n}`} rel='Took'>Stands\n here</a>;";
  assert.equal(complaintsOf(source), ['Looks again in', 'Took', 'Stands here']);
});

wording('no page says what was found unclear', () => {
  assert.ok(sources.length > 100, 'the sources are found');
  const complaints = sources.flatMap((name) =>
    complaintsOf(readFileSync(new URL(name, home), 'utf8')).map((text) => `${name}: ${text}`),
  );
  assert.equal(complaints, []);
});

wording.run();
