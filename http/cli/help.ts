import { program } from '../../crds/names.ts';
import type { Leaf } from './command.ts';
import { type Exit, exitMessages } from './exits.ts';

const always: readonly Exit[] = [0, 1, 2];

/** The exit codes of a command. */
export const exitsOf = ({ exits = [] }: Pick<Leaf, 'exits'>): readonly Exit[] =>
  [...new Set([...always, ...exits])].toSorted((a, b) => a - b);

const exitLines = (codes: readonly Exit[]): readonly string[] =>
  codes.map((code) => `  ${String(code).padEnd(4)} ${exitMessages[code]}`);

/** The text after the flags of a command in its help. */
export function footerOf(leaf: Leaf): string {
  const more = leaf.more === undefined ? [] : ['', leaf.more];
  const examples = ['', 'Examples:', ...leaf.examples.map((example) => `  ${example}`)];
  return [...more, ...examples, '', 'Exit codes:', ...exitLines(exitsOf(leaf))].join('\n');
}

export const rootFooter = (): string =>
  [
    '',
    'The server:',
    `  ${program} start          run Core on this machine; '${program} start --help' lists its settings`,
    `  ${program} backup FILE    all of a data directory in one file, while it is in use`,
    `  ${program} restore FILE   into a data directory that is new or empty`,
    '',
    `See also '${program} help environment' and '${program} help exit-codes'.`,
  ].join('\n');

/** Pages of the help that belong to no command. */
export const topics: Readonly<Record<string, () => string>> = {
  environment: () =>
    [
      'Variables of the environment that the command line reads. An empty one counts as not given.',
      '',
      '  CORE_URL           the address to ask',
      '  CORE_TOKEN         the API token to ask with; login saves it',
      '  CORE_PROJECT       the project',
      '  CORE_ENVIRONMENT   the environment',
      '  CORE_CONTEXT       the saved login to use',
      '  CORE_CONFIG        the full path of the configuration file',
      '  HOME, XDG_CONFIG_HOME, AppData',
      '                     where that file is otherwise',
      '  HTTPS_PROXY, HTTP_PROXY, NO_PROXY',
      '                     a proxy on the way',
      '  NO_COLOR, TERM     no colours with NO_COLOR, or where TERM is dumb',
      '',
      'A flag wins over a variable, and a variable over the saved login.',
    ].join('\n'),
  'exit-codes': () =>
    ['How a command ends:', '', ...exitLines(Object.keys(exitMessages).map(Number) as Exit[])].join('\n'),
};
