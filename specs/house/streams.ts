import type { Source } from './sources.ts';
import { calledName, type Imported, type Node, nodeAt, nodesAt, rootOf, textAt, type Tree, treeOf } from './syntax.ts';

const isFunction = ({ type }: Node) =>
  /^(?:ArrowFunctionExpression|Function(?:Expression|Declaration)|ObjectMethod)$/.test(type);
const isPackage = ({ from }: Imported) => !from.startsWith('.');

/** A step of an Effect: a function, or what `effect` or a function of ours makes of one. */
function isStep(step: Node, { imports }: Tree): boolean {
  if (isFunction(step)) return true;
  const from = imports.get(rootOf(step));
  if (from?.from === 'effect') return true;
  return step.type === 'CallExpression' && (from === undefined || !isPackage(from));
}

/** Calls of `.pipe(…)` that join streams: an error of either ends the process where nobody listens. */
export function pipesIn({ code }: Pick<Source, 'code'>): readonly number[] {
  const tree = treeOf(code);
  const usesEffect = [...tree.imports.values()].some(({ from }) => from === 'effect');
  return tree.nodes
    .filter((node) => node.type.endsWith('CallExpression') && nodeAt(node, 'callee')?.type !== 'Identifier')
    .filter((node) => calledName(node) === 'pipe')
    .filter((node) => !usesEffect || !nodesAt(node, 'arguments').every((step) => isStep(step, tree)))
    .map(({ loc }) => loc.start.line);
}

const http = ['createServer', 'request', 'get'];
/** What Node and packages make that says by an event that it failed, by the module that it is imported from. */
const makers: Readonly<Record<string, readonly string[]>> = {
  'node:http': http,
  'node:https': http,
  'node:net': ['createServer', 'connect', 'createConnection'],
  'node:tls': ['createServer', 'connect'],
  'node:dgram': ['createSocket'],
  'node:child_process': ['spawn', 'fork'],
  'node:fs': ['createReadStream', 'createWriteStream', 'watch'],
  'node:worker_threads': ['Worker'],
  ws: ['WebSocket'],
};

/** Functions that listen to errors of what they are given. */
const listening = new Set(['pipeline', 'isolateRequests', 'listen']);
const isCall = ({ type }: Node) => type === 'CallExpression' || type === 'NewExpression';

/** The function that a node stands in, or the whole file. */
function scopeOf(node: Node, tree: Tree): Node | undefined {
  for (let at = tree.parentOf(node); at; at = tree.parentOf(at)) if (isFunction(at)) return at;
  return tree.nodes[0];
}

const within = (node: Node, scope: Node | undefined) =>
  scope !== undefined && node.start >= scope.start && node.end <= scope.end;

const listensToErrors = (call: Node) =>
  calledName(call) === 'on' && textAt(nodesAt(call, 'arguments')[0], 'value') === 'error';

/** Where an error of what stands under a name is first listened to; null where it never is. */
function heardAt(name: string, scope: Node | undefined, { nodes }: Tree): number | null {
  const heard = nodes.filter((node) => {
    if (!within(node, scope)) return false;
    if (node.type === 'ForOfStatement') return rootOf(nodeAt(node, 'right')) === name;
    if (node.type !== 'CallExpression') return false;
    if (listensToErrors(node)) return isOf(nodeAt(nodeAt(node, 'callee'), 'object'), name);
    return listening.has(calledName(node)) && nodesAt(node, 'arguments').some((given) => isOf(given, name));
  });
  return heard.length === 0 ? null : Math.min(...heard.map(({ start }) => start));
}

/** Whether an expression is a name, or what a chain of calls on it returns. */
function isOf(node: Node | undefined, name: string): boolean {
  if (node?.type === 'Identifier') return textAt(node, 'name') === name;
  return node?.type === 'CallExpression' && isOf(nodeAt(nodeAt(node, 'callee'), 'object'), name);
}

/** A process that could not be started has no streams: what touches them first throws before anybody listens. */
function touchedAt(name: string, scope: Node | undefined, { nodes }: Tree): number {
  const touched = nodes.filter(
    (node) =>
      node.type === 'MemberExpression' &&
      within(node, scope) &&
      isOf(nodeAt(node, 'object'), name) &&
      /^std(?:in|out|err)$/.test(textAt(nodeAt(node, 'property'), 'name')),
  );
  return Math.min(...touched.map(({ start }) => start));
}

/** Whether something that was made is listened to, by the expression that it stands in. */
function isHeard(made: Node, tree: Tree): boolean {
  const around = tree.parentOf(made);
  if (!around) return false;
  if (around.type === 'VariableDeclarator') return isHeardAs(textAt(nodeAt(around, 'id'), 'name'), around, tree);
  if (around.type === 'AssignmentExpression') return isHeardAs(textAt(nodeAt(around, 'left'), 'name'), around, tree);
  if (around.type === 'ForOfStatement' || around['delegate'] === true) return true;
  if (around.type === 'ReturnStatement' || (isFunction(around) && around['body'] === made))
    return isHeardWhereMade(around, tree);
  if (isCall(around) && nodesAt(around, 'arguments').includes(made)) return listening.has(calledName(around));
  if (around.type === 'CallExpression' && listensToErrors(around)) return true;
  return /^(?:Await|Call|Member|Conditional|Logical|TSAs)Expression$/.test(around.type) && isHeard(around, tree);
}

function isHeardAs(name: string, at: Node, tree: Tree): boolean {
  const scope = scopeOf(at, tree);
  const heard = heardAt(name, scope, tree);
  return heard !== null && heard < touchedAt(name, scope, tree);
}

/** Where a function returns what it makes, each of its callers in the file listens. */
function isHeardWhereMade(returned: Node, tree: Tree): boolean {
  const made = isFunction(returned) ? returned : scopeOf(returned, tree);
  const declared = made && tree.parentOf(made);
  const name = textAt(nodeAt(made, 'id'), 'name') || textAt(nodeAt(declared, 'id'), 'name');
  const calls = tree.nodes.filter((node) => isCall(node) && textAt(nodeAt(node, 'callee'), 'name') === name);
  return name !== '' && calls.length > 0 && calls.every((call) => isHeard(call, tree));
}

/** What a called expression is imported as, by whichever name the file has for it. */
function makersIn(callee: Node | undefined, tree: Tree): readonly Imported[] {
  if (callee?.type === 'ConditionalExpression')
    return ['consequent', 'alternate'].flatMap((branch) => makersIn(nodeAt(callee, branch), tree));
  if (callee?.type !== 'Identifier') return [];
  const name = textAt(callee, 'name');
  const imported = tree.imports.get(name);
  if (imported) return [imported];
  const alias = tree.nodes.find(
    (node) =>
      node.type === 'VariableDeclarator' &&
      textAt(nodeAt(node, 'id'), 'name') === name &&
      nodeAt(node, 'init')?.type === 'ConditionalExpression',
  );
  return makersIn(nodeAt(alias, 'init'), tree);
}

/** Emitters that are made without a listener for their errors, which ends the process when one comes. */
export function unheardIn({ code }: Pick<Source, 'code'>): readonly number[] {
  const tree = treeOf(code);
  return tree.nodes
    .filter(isCall)
    .filter((node) => makersIn(nodeAt(node, 'callee'), tree).some(({ from, name }) => makers[from]?.includes(name)))
    .filter((made) => !isHeard(made, tree))
    .map(({ loc }) => loc.start.line);
}

/** HTTP servers whose requests are not run each by itself. */
export function unisolatedIn({ code }: Pick<Source, 'code'>): readonly number[] {
  const tree = treeOf(code);
  const isServer = ({ from, name }: Imported) => /^node:https?$/.test(from) && name === 'createServer';
  const isolates = tree.nodes.some(
    (node) =>
      node.type === 'CallExpression' &&
      (calledName(node) === 'isolateRequests' ||
        (calledName(node) === 'listen' && tree.imports.get(rootOf(node))?.from.endsWith('/listen.ts') === true)),
  );
  return tree.nodes
    .filter((node) => isCall(node) && makersIn(nodeAt(node, 'callee'), tree).some(isServer) && !isolates)
    .map(({ loc }) => loc.start.line);
}
