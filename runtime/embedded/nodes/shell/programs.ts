import { filters } from './filters.ts';
import { places } from './places.ts';
import { type Program, type Session, complain, say } from './process.ts';
import { fileWords } from './fileWords.ts';

const longestSleep = 2 ** 31 - 1;

function wait(ms: number, interrupted: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const wake = () => {
      clearTimeout(timer);
      interrupted.removeEventListener('abort', wake);
      done();
    };
    const timer = setTimeout(wake, Math.min(ms, longestSleep));
    interrupted.addEventListener('abort', wake);
  });
}

const unitSeconds: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3_600, d: 86_400 };

function secondsOf(text: string): number | null {
  if (text === 'infinity') return Infinity;
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(text) ?? [];
  return digits === undefined ? null : Number(digits) * (unitSeconds[unit] ?? 1);
}

const sleep: Program = async (process) => {
  const seconds = process.args.map(secondsOf);
  const bad = seconds.indexOf(null);
  if (seconds.length === 0 || bad >= 0) {
    await complain(process, `sleep: invalid number '${process.args[bad] ?? ''}'`);
    return 1;
  }
  const all = seconds.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  if (all > 0) await wait(all * 1_000, process.interrupted);
  return 0;
};

const echo: Program = async (process) => {
  const { args } = process;
  const flags = args.findIndex((arg) => !/^-[ne]+$/.test(arg));
  const count = flags < 0 ? args.length : flags;
  const given = args.slice(0, count).join('');
  const text = args.slice(count).join(' ');
  await say(process, (given.includes('e') ? unescaped(text) : text) + (given.includes('n') ? '' : '\n'));
  return 0;
};

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  a: '\x07',
  e: '\x1b',
};
const unescaped = (text: string) =>
  text.replace(/\\(0?[0-7]{1,3}|[ntr\\ae])/g, (whole, letter: string) =>
    /^[0-7]/.test(letter) ? String.fromCharCode(Number.parseInt(letter, 8) & 0xff) : (escapes[letter] ?? whole),
  );

/** `%s` and `%d` take the arguments in turn, for as long as there are any. */
const printf: Program = async (process) => {
  const [format = '', ...args] = process.args;
  const left = [...args];
  let text = '';
  do
    text += unescaped(format).replace(/%([sd%])/g, (_, kind: string) =>
      kind === '%' ? '%' : (left.shift() ?? (kind === 'd' ? '0' : '')),
    );
  while (left.length > 0 && /%[sd]/.test(format));
  await say(process, text);
  return 0;
};

const exit: Program = (process) => {
  const { session, args } = process;
  const code = Number(args[0] ?? session.lastExit);
  return (session.exited = Number.isInteger(code) ? code & 0xff : 2);
};

const exported: Program = async (process) => {
  const { environment } = process.session;
  for (const arg of process.args) {
    const equals = arg.indexOf('=');
    if (equals > 0) environment.set(arg.slice(0, equals), arg.slice(equals + 1));
  }
  if (process.args.length === 0)
    for (const [name, value] of environment) await say(process, `export ${name}='${value}'\n`);
  return 0;
};

const env: Program = async (process) => {
  const assignments = process.args.filter((arg) => arg.includes('='));
  if (assignments.length < process.args.length) {
    await complain(process, 'env: running a command is not simulated');
    return 126;
  }
  for (const line of [...lines(process.session), ...assignments]) await say(process, `${line}\n`);
  return 0;
};

const lines = ({ environment }: Session) => [...environment].map(([name, value]) => `${name}=${value}`);

const printenv: Program = async (process) => {
  const { args, session } = process;
  if (args.length === 0) return env(process);
  let code = 0;
  for (const name of args) {
    const value = session.environment.get(name);
    if (value === undefined) code = 1;
    else await say(process, `${value}\n`);
  }
  return code;
};

const test: Program = ({ args, session }) => {
  const words = args.at(-1) === ']' ? args.slice(0, -1) : args;
  const [first = '', second, third = ''] = words;
  if (first === '!') return holds(words.slice(1), session) ? 1 : 0;
  if (second === undefined) return first === '' ? 1 : 0;
  return holds([first, second, third], session) ? 0 : 1;
};

function holds([first = '', second = '', third = '']: readonly string[], { place, directory }: Session): boolean {
  const path = second.startsWith('/') ? second : `${directory === '/' ? '' : directory}/${second}`;
  const unary: Readonly<Record<string, () => boolean>> = {
    '-n': () => second !== '',
    '-z': () => second === '',
    '-f': () => place.files.isFile(path),
    '-d': () => place.files.names(path) !== null,
    '-e': () => place.files.isFile(path) || place.files.names(path) !== null,
  };
  const binary: Readonly<Record<string, () => boolean>> = {
    '=': () => first === third,
    '==': () => first === third,
    '!=': () => first !== third,
    '-eq': () => Number(first) === Number(third),
    '-ne': () => Number(first) !== Number(third),
    '-lt': () => Number(first) < Number(third),
    '-gt': () => Number(first) > Number(third),
  };
  return (binary[second] ?? unary[first] ?? (() => false))();
}

const which: Program = async (process) => {
  const names = process.args.filter((name) => !name.startsWith('-'));
  for (const name of names) if (programs.has(name) || name === 'sh') await say(process, `/bin/${name}\n`);
  return names.every((name) => programs.has(name) || name === 'sh') ? 0 : 1;
};

const help: Program = async (process) => {
  await say(process, `This shell is simulated. It knows: ${[...programs.keys()].sort().join(' ')}\n`);
  return 0;
};

/** Every program of the simulated containers, by its name. */
export const programs: ReadonlyMap<string, Program> = new Map(
  Object.entries({
    ...places,
    ...fileWords,
    ...filters,
    sleep,
    echo,
    printf,
    exit,
    export: exported,
    env,
    printenv,
    test,
    '[': test,
    which,
    help,
    ':': () => 0,
    true: () => 0,
    false: () => 1,
    set: () => 0,
    unset: ({ args, session }) => {
      for (const name of args) session.environment.delete(name);
      return 0;
    },
  } satisfies Record<string, Program>),
);
