import { isExpected } from './expected.ts';
import type { Printed, Shell } from './shell.ts';
import type { CommandStep } from './transcript.ts';

const waitsMs = 120_000;
const pauseMs = 200;

export const came = ({ expected, exit }: CommandStep, printed: Printed): boolean =>
  printed.exit === exit && isExpected(expected, printed.lines);

/** Runs a command; one that waits is run until it prints what is expected, or for two minutes. */
export async function play(shell: Shell, step: CommandStep): Promise<Printed> {
  const end = Date.now() + waitsMs;
  for (;;) {
    const printed = await shell.run(step.command);
    if (!step.waits || came(step, printed) || Date.now() > end) return printed;
    await new Promise((go) => setTimeout(go, pauseMs));
  }
}
