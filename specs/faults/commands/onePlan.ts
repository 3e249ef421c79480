import { readPlan, sayPlan } from '../plan/plan.ts';
import { sayTrouble } from '../plan/trouble.ts';
import { subjects } from '../subjects/all.ts';
import { verify } from '../verify.ts';
import { timelineOf } from '../environment/log.ts';
import { Misused, say } from './say.ts';

/** Runs one plan and prints its whole timeline; returns whether it held. */
export async function onePlan(text: string): Promise<boolean> {
  const plan = readPlan(text, subjects);
  if (typeof plan === 'string') throw new Misused(plan);
  const { ran, wrong, untouched } = await verify(plan);
  say(sayPlan(plan), ...timelineOf(ran.log), '');
  say(
    ...untouched.map((trouble) => `  touched nothing: ${sayTrouble(trouble)}`),
    ...(wrong.length === 0 ? ['  holds'] : wrong.map((one) => `  wrong: ${one}`)),
  );
  return wrong.length === 0;
}
