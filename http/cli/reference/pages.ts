import { program } from '../../../crds/names.ts';
import type { Argument, Command, Leaf } from '../command.ts';
import { helpCommand } from '../commands/help.ts';
import { commands } from '../tree.ts';

/** One command, by the words that lead to it. */
export interface Page {
  readonly way: readonly string[];
  readonly leaf: Leaf;
}

/** A command both at the top and under `apps` is described at the top. */
function pagesOf(of: readonly Command[], way: readonly string[], isKnown: (leaf: Command) => boolean): readonly Page[] {
  return of.flatMap((one): readonly Page[] => {
    if (way.length > 1 && isKnown(one)) return [];
    return one.is === 'command'
      ? [{ way: [...way, one.name], leaf: one }]
      : pagesOf(one.commands, [...way, one.name], isKnown);
  });
}

/** Every command once, in the order of the help. */
export const pages: readonly Page[] = pagesOf([...commands, helpCommand(() => '')], [program], (one) =>
  commands.includes(one),
);

const shownArgument = ({ name }: Argument): string => name;

/** `core logs APP [flags]`. */
export const usageOf = ({ way, leaf }: Page): string =>
  [...way, ...(leaf.args ?? []).map(shownArgument), '[flags]'].join(' ');
