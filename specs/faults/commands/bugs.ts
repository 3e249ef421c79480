import { runBugs } from '../bugs/run.ts';
import { keepShown } from '../bugs/shown.ts';
import { complaints, tableText } from '../bugs/table.ts';
import { say } from './say.ts';

export interface HuntOptions {
  /** Selects bugs whose name or family contains this text. */
  readonly only: string | undefined;
  readonly jobs: number;
}

/** Enough tries that a bug without a catch counts as a survivor. */
const mostTries = 400;

/** Hunts the planted bugs; returns whether every detectable one was caught. */
export async function bugs({ only, jobs }: HuntOptions): Promise<boolean> {
  const hunted = await runBugs({ ...(only === undefined ? {} : { only }), mostTries, atATime: jobs });
  const wrong = hunted.flatMap(complaints);
  say(...tableText(hunted), ...wrong);
  keepShown(hunted);
  return hunted.length > 0 && wrong.length === 0;
}
