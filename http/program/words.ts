import { serverWords } from '../cli/serverWords.ts';

/** The bundle that runs a command: each loads only what it needs. */
export function bundleOf([first = '', second = '']: readonly string[]): string {
  const word = first === 'help' ? second : first;
  return serverWords.some((one) => one === word) ? 'server' : 'cli';
}
