import type { Step } from './step.ts';

export interface Outcome {
  readonly step: Step;
  readonly came: 'passed' | 'failed' | 'skipped';
  readonly text: string;
  readonly seconds: number;
}

export interface Limits {
  /** When no other step begins, in milliseconds of the system's clock. */
  readonly endsAt: number;
  readonly print: (line: string) => void;
}

/** Runs steps one after the other; one whose predecessors did not pass is skipped. */
export async function runSteps(steps: readonly Step[], { endsAt, print }: Limits): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const passed = new Set<string>();
  for (const step of steps) {
    const startedAt = Date.now();
    const blocker = (step.after ?? []).find((title) => !passed.has(title));
    const reason = blocker === undefined ? (step.lacks?.() ?? null) : `"${blocker}" did not pass`;
    const { came, text } =
      reason === null ? await resultOf(step, endsAt) : ({ came: 'skipped', text: reason } as const);
    if (came === 'passed') passed.add(step.title);
    const outcome = { step, came, text, seconds: (Date.now() - startedAt) / 1_000 };
    outcomes.push(outcome);
    print(lineOf(outcome));
  }
  return outcomes;
}

const overText = 'the time for all steps is over';

async function resultOf(step: Step, endsAt: number): Promise<Pick<Outcome, 'came' | 'text'>> {
  const leftMs = endsAt - Date.now();
  if (leftMs <= 0) return { came: 'failed', text: overText };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(overText)), leftMs);
  });
  try {
    return { came: 'passed', text: await Promise.race([late, step.run()]) };
  } catch (failed) {
    return { came: 'failed', text: failed instanceof Error ? failed.message : String(failed) };
  } finally {
    clearTimeout(timer);
  }
}

const lineOf = ({ step, came, text, seconds }: Outcome): string =>
  `${came.padEnd(7)} ${step.scenario.padEnd(9)} ${seconds.toFixed(1).padStart(6)} s  ${step.title}: ${text}`;

/** The closing line, as npm test ends with. */
export function summaryOf(outcomes: readonly Outcome[]): string {
  const count = (came: Outcome['came']) => outcomes.filter((one) => one.came === came).length;
  const skipped = count('skipped');
  return `${count('passed')} passed, ${count('failed')} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}
