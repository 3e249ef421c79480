/** Prints lines for the user of the command. */
export const say = (...lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);

/** An invalid command line argument. */
export class Misused extends Error {}
