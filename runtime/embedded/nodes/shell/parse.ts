import { Scanner } from './scanner.ts';
import { type Command, type Pipeline, type Redirect, type Script, SyntaxFault, type Word } from './syntax.ts';

/** Words that would begin what the simulated shell does not do. */
const notSimulated = ['if', 'for', 'while', 'until', 'case', 'function', '{', '!', '[['];

const deepest = 16;

/** Reads a script: commands with words, quotes, variables, pipes, redirects and `;`, `&&`, `||`. */
export function parse(text: string, depth = 0): Script {
  if (depth > deepest) throw new SyntaxFault('too deeply nested');
  const scanner = new Scanner(text, (inner) => parse(inner, depth + 1));
  const script: Pipeline[] = [];
  let when: Pipeline['when'] = 'always';
  for (;;) {
    scanner.skipBlanks(when !== 'always' || script.length === 0);
    if (scanner.isAtEnd()) break;
    const commands = pipelineOf(scanner);
    script.push({ when, commands });
    when = 'always';
    const next = scanner.operator(['&&', '||', ';', '\n', '&']);
    if (next === null) break;
    if (next === '&') throw new SyntaxFault('background commands are not simulated');
    when = next === '&&' ? 'success' : next === '||' ? 'failure' : 'always';
    if (when === 'always') scanner.skipBlanks(true);
  }
  if (when !== 'always') throw new SyntaxFault('syntax error: unexpected end of file', true);
  if (!scanner.isAtEnd()) throw new SyntaxFault(`syntax error: unexpected "${scanner.peek()}"`);
  return script;
}

function pipelineOf(scanner: Scanner): readonly Command[] {
  const commands = [commandOf(scanner)];
  while (scanner.operator(['|']) !== null) {
    scanner.skipBlanks(true);
    if (scanner.isAtEnd()) throw new SyntaxFault('syntax error: unexpected end of file', true);
    commands.push(commandOf(scanner));
  }
  return commands;
}

function commandOf(scanner: Scanner): Command {
  const words: Word[] = [];
  const redirects: Redirect[] = [];
  for (;;) {
    scanner.skipBlanks(false);
    const redirect = redirectOf(scanner);
    if (redirect) redirects.push(redirect);
    else if (scanner.isAtWord()) words.push(scanner.word());
    else break;
  }
  if (words.length === 0 && redirects.length === 0)
    throw new SyntaxFault(`syntax error: unexpected "${scanner.peek() === '\n' ? 'newline' : scanner.peek()}"`);
  const [first] = words[0] ?? [];
  if (words[0]?.length === 1 && first?.is === 'text' && !first.quoted && notSimulated.includes(first.text))
    throw new SyntaxFault(`"${first.text}" is not simulated`);
  return { words, redirects };
}

const redirections = ['2>&1', '1>&2', '>&2', '2>>', '1>>', '>>', '2>', '1>', '>', '<'] as const;

function redirectOf(scanner: Scanner): Redirect | null {
  const found = scanner.operator(redirections);
  if (found === null) return null;
  if (found === '<' && scanner.peek() === '<') throw new SyntaxFault('here-documents are not simulated');
  const from = found === '<' ? 0 : found.startsWith('2') ? 2 : 1;
  if (found.includes('&'))
    return { from, how: 'same', to: [{ is: 'text', text: found.endsWith('1') ? '1' : '2', quoted: true }] };
  scanner.skipBlanks(false);
  if (!scanner.isAtWord()) throw new SyntaxFault('syntax error: unexpected newline');
  return { from, how: found === '<' ? 'read' : found.includes('>>') ? 'append' : 'write', to: scanner.word() };
}
