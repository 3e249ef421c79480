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
  const deadline = deadlineAt(endsAt);
  try {
    return await runUntil(deadline, steps, print);
  } finally {
    deadline.cancel();
  }
}

async function runUntil(deadline: Deadline, steps: readonly Step[], print: Limits['print']) {
  const outcomes: Outcome[] = [];
  const passed = new Set<string>();
  for (const step of steps) {
    const startedAt = Date.now();
    const blocker = (step.after ?? []).find((title) => !passed.has(title));
    const reason = blocker === undefined ? (step.lacks?.() ?? null) : `"${blocker}" did not pass`;
    const { came, text } =
      reason === null ? await resultOf(step, deadline) : ({ came: 'skipped', text: reason } as const);
    if (came === 'passed') passed.add(step.title);
    const outcome = { step, came, text, seconds: (Date.now() - startedAt) / 1_000 };
    outcomes.push(outcome);
    print(lineOf(outcome));
  }
  return outcomes;
}

const overText = 'the time for all steps is over';
/** Node takes no longer timer. */
const longestMs = 2 ** 31 - 1;

/** The end of the time for all steps: a timer may fire before the clock shows that time. */
function deadlineAt(endsAt: number) {
  const leftMs = endsAt - Date.now();
  let over = leftMs <= 0;
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<void>((resolve) => {
    const end = () => {
      over = true;
      resolve();
    };
    timer = setTimeout(end, Math.min(Math.max(0, leftMs), longestMs));
  });
  return { isOver: () => over, passed, cancel: () => clearTimeout(timer) };
}

type Deadline = ReturnType<typeof deadlineAt>;

async function resultOf(step: Step, deadline: Deadline): Promise<Pick<Outcome, 'came' | 'text'>> {
  const late = { came: 'failed', text: overText } as const;
  if (deadline.isOver()) return late;
  try {
    return await Promise.race([
      deadline.passed.then(() => late),
      step.run().then((text) => ({ came: 'passed', text }) as const),
    ]);
  } catch (failed) {
    return { came: 'failed', text: failed instanceof Error ? failed.message : String(failed) };
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
