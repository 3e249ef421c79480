import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { type Source, sources } from './sources.ts';
import { type Node, nodeAt, textAt, treeOf } from './syntax.ts';

const spec = suite('loops with effects');

/** Loops that end at the first failure on purpose, by file: how many, and why. */
const ending: Readonly<Record<string, readonly [number, string]>> = {
  'runtime/controllers/app/owned/wake.ts': [1, 'every answer is needed'],
  'runtime/controllers/backupArchive/actions/purge.ts': [2, 'page after page'],
  'runtime/controllers/backupArchive/ask/folders.ts': [2, 'every answer is needed'],
  'runtime/controllers/consoleSession/actions/owedLines.ts': [1, 'lines are written in order'],
  'runtime/controllers/consoleSession/ask.ts': [1, 'page after page'],
  'runtime/controllers/database/actions/restoreTarget.ts': [2, 'ends at the first that fits'],
  'runtime/controllers/platformConfig/lifecycles/dnsProviderReady/actions.ts': [
    1,
    'goes on itself, until it is limited',
  ],
  'runtime/controllers/project/ask.ts': [1, 'every answer is needed'],
  'runtime/controllers/project/ensures/environmentRemoval.ts': [1, 'a kind after the one before it is gone'],
  'runtime/controllers/project/observe/contents.ts': [3, 'a kind after the one before it is gone'],
  'runtime/owned/leftovers.ts': [1, 'every answer is needed'],
};

const loops = ['ForOfStatement', 'ForStatement', 'WhileStatement', 'DoWhileStatement'];

/** The lines of loops in which an effect runs, and of `Effect.forEach`. */
function loopsIn({ text }: Pick<Source, 'text'>): readonly number[] {
  const { nodes } = treeOf(text);
  const yields = nodes.filter((node) => node.type === 'YieldExpression' && node['delegate'] === true);
  const isIn = (loop: Node) => (node: Node) => {
    const body = nodeAt(loop, 'body');
    return body !== undefined && node.start >= body.start && node.end <= body.end;
  };
  const isForEach = (node: Node) =>
    node.type === 'MemberExpression' &&
    textAt(nodeAt(node, 'object'), 'name') === 'Effect' &&
    textAt(nodeAt(node, 'property'), 'name') === 'forEach';
  return nodes
    .filter((node) => (loops.includes(node.type) && yields.some(isIn(node))) || isForEach(node))
    .map(({ loc }) => loc.start.line);
}

spec('a loop with effects goes on after an item that fails, by eachOf', () => {
  const walked = sources.filter(({ path }) => /^runtime\/(?:controllers|owned)\//.test(path));
  assert.ok(walked.length > 100, 'the sources were not read');
  const found = walked
    .map((source) => [source.path, loopsIn(source)] as const)
    .filter(([path, lines]) => lines.length !== (ending[path]?.[0] ?? 0))
    .map(([path, lines]) => `${path}:${lines.join(',')}`);
  assert.equal(found, []);
});

spec('every form of such a loop is found', () => {
  const forms = [
    'function* f() { for (const one of all) yield* act(one); }',
    'function* f() { for (const one of all) { if (one) yield* act(one); } }',
    'function* f() { for (let at = 0; at < 3; at++) yield* act(at); }',
    'function* f() { while (more()) yield* act(); }',
    'const f = () => Effect.forEach(all, act);',
  ];
  for (const text of forms) assert.equal(loopsIn({ text }), [1]);
  assert.equal(loopsIn({ text: 'function* f() { for (const one of all) sum += one; yield* act(sum); }' }), []);
});

spec.run();
