import { isProgram, isShell } from './interpreter.ts';
import { parse } from './parse.ts';
import { type Command, type Script, SyntaxFault, type Word } from './syntax.ts';

/** Words of the shell itself: there is no program of that name. */
const builtIns = ['exit', 'export', 'unset', 'cd', 'set', 'help', ':'];

/** Whether the simulated shell knows all that a command would call, so that what it prints is what was meant. */
export function knows(command: readonly string[]): boolean {
  const [program = '', ...args] = command;
  if (program === '' || builtIns.includes(program)) return false;
  if (!isShell(program)) return knowsWords([program, ...args]);
  const [flag = '', script, ...more] = args;
  if (args.length === 0) return true;
  return /^-[eux]*c$/.test(flag) && script !== undefined && more.length === 0 && knowsText(script);
}

function knowsText(text: string): boolean {
  try {
    return knowsScript(parse(text));
  } catch (why) {
    if (why instanceof SyntaxFault) return false;
    throw why;
  }
}

const knowsScript = (script: Script): boolean =>
  script.every(({ commands }) => commands.every((command) => knowsCommand(command)));

function knowsCommand({ words }: Command): boolean {
  if (!words.every((word) => word.every((piece) => piece.is !== 'output' || knowsScript(piece.of)))) return false;
  const called = words.map(textOf);
  const first = called.findIndex((text) => text === null || !/^[A-Za-z_]\w*=/.test(text));
  if (first < 0) return true;
  const [program] = called.slice(first);
  if (typeof program !== 'string') return false;
  if (!isShell(program)) return knowsWords(called.slice(first).map((text) => text ?? ''));
  const all = called.slice(first);
  return all.every((text) => text !== null) && knows(all);
}

function knowsWords([program = '', ...args]: readonly string[]): boolean {
  if (program === 'env' && args.some((arg) => !arg.includes('='))) return false;
  return isProgram(program);
}

/** The text of a word that is nothing but text. */
function textOf(word: Word): string | null {
  const texts = word.map((piece) => (piece.is === 'text' ? piece.text : null));
  return texts.includes(null) ? null : texts.join('');
}
