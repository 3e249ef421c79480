import { actedOn } from '../specs/platform.ts';
import { runSpecSequences } from '../specs/run.ts';
import { Misused, say } from './say.ts';

export interface SpecOptions {
  /** Undefined means all. */
  readonly only: readonly string[] | undefined;
  readonly seed: number;
  readonly runs: number;
}

/** Runs sequences of valid and invalid specs of each kind; returns whether every sequence held. */
export async function specs({ only, seed, runs }: SpecOptions): Promise<boolean> {
  const unknown = only?.find((name) => !(actedOn as readonly string[]).includes(name));
  if (unknown !== undefined) throw new Misused(`no kind is called "${unknown}": ${actedOn.join(', ')}`);
  let holds = true;
  for (const kind of actedOn.filter((name) => only === undefined || only.includes(name))) {
    const { sequences, steps, refused, violation } = await runSpecSequences({ kind, seed, runs });
    say(`${kind.padEnd(24)} ${sequences} sequences, ${steps} writes, ${refused} of them refused`);
    if (violation) say(...violation);
    holds &&= violation === null;
  }
  return holds;
}
