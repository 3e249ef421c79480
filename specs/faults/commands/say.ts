/** Lines for whoever runs the command. */
export const say = (...lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);

/** An argument that means nothing. */
export class Misused extends Error {}
