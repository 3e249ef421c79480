import { runBugs } from '../bugs/run.ts';
import { keepShown } from '../bugs/shown.ts';
import { complaints, tableText } from '../bugs/table.ts';
import { say } from './say.ts';

export interface HuntOptions {
  /** Those whose name or family has this in it. */
  readonly only: string | undefined;
  readonly jobs: number;
}

/** Enough that a survivor is one. */
const mostTries = 400;

/** Hunts the planted bugs; whether each was caught that can be. */
export async function bugs({ only, jobs }: HuntOptions): Promise<boolean> {
  const hunted = await runBugs({ ...(only === undefined ? {} : { only }), mostTries, atATime: jobs });
  const wrong = hunted.flatMap(complaints);
  say(...tableText(hunted), ...wrong);
  keepShown(hunted);
  return hunted.length > 0 && wrong.length === 0;
}
