/** First words that are not of the command line, and the bundle that each belongs to. */
const bundles: Readonly<Record<string, string>> = { start: 'server', backup: 'server', restore: 'server' };

/** The bundle that runs a command: each loads only what it needs. */
export function bundleOf([first = '', second = '']: readonly string[]): string {
  const word = first === 'help' ? second : first;
  return Object.hasOwn(bundles, word) ? (bundles[word] ?? 'cli') : 'cli';
}
