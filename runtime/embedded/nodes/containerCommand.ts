import type { Container } from './shapes.ts';
import { knows } from './shell/knows.ts';

/** The command and arguments of a container, one after the other. */
export const wordsOf = ({ command = [], args = [] }: Container): readonly string[] => [...command, ...args];

/**
 * Whether the simulated shell runs a container from its start to its end. One that reads an input waits for somebody
 * who attaches; a builder has a habit of its own.
 */
export const runsByItself = (container: Container): boolean =>
  container.stdin !== true && container.name !== 'builder' && knows(wordsOf(container).map(withVariables(container)));

/** `$(NAME)` of a declared variable is filled in before the shell sees it, and calls nothing. */
const withVariables =
  ({ env = [] }: Container) =>
  (word: string): string =>
    word.replace(/\$\(([^()\s]+)\)/g, (whole, name: string) => (env.some((one) => one.name === name) ? name : whole));
