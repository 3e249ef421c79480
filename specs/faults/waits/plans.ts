import { plant, wasReached } from '../bugs/planting.ts';
import { waitBugs } from './bugs.ts';
import { waitFaults } from './oracle.ts';
import { deployLives, type Life, sleepLives } from './lives.ts';
import { type ClockWrapper, type Plan, play, troubles } from './play.ts';

/** What plans came to. */
export interface Told {
  readonly plans: number;
  /** Violations with the plan that shows each. */
  readonly wrong: readonly string[];
  readonly rows: ReadonlySet<string>;
  /** How each life ended where nothing went wrong. */
  readonly undisturbed: readonly (readonly [Life, number])[];
}

const kinds = [
  ['deploy', deployLives],
  ['sleep', sleepLives],
] as const;

/** Plays every life with every trouble at every read that it makes undisturbed. */
export async function playAll(around?: ClockWrapper): Promise<Told> {
  const wrong: string[] = [];
  const rows = new Set<string>();
  const undisturbed: [Life, number][] = [];
  let plans = 0;
  const tried = async (plan: Plan, is: 'deploy' | 'sleep') => {
    plans += 1;
    const words = `${plan.life.name} / ${plan.trouble} at=${plan.at}`;
    try {
      const played = await play(plan, is, around);
      const { wrong: found, rows: walked } = waitFaults(plan, played, is);
      wrong.push(...found.map((what) => `${words}: ${what}`));
      for (const row of walked) rows.add(row);
      return played;
    } catch (error) {
      wrong.push(`${words}: ${String(error)}`);
      return null;
    }
  };
  for (const [is, lives] of kinds)
    for (const life of lives) {
      const alone = await tried({ life, trouble: 'nothing', at: -1 }, is);
      undisturbed.push([life, alone?.exit ?? -1]);
      const reads = Math.min(alone?.told.length ?? 1, 8);
      for (const trouble of troubles.slice(1))
        for (let at = 0; at < reads; at++) await tried({ life, trouble, at }, is);
    }
  return { plans, wrong, rows, undisturbed };
}

/** What shows each planted bug, and whether it was come by at all. */
export async function huntAll() {
  const hunted: { readonly name: string; readonly shown: string | undefined; readonly reached: boolean }[] = [];
  for (const { name, plant: planted, around } of waitBugs) {
    if (planted) plant(planted);
    const { wrong } = await playAll(around);
    hunted.push({ name, shown: wrong[0], reached: planted === undefined || wasReached() });
  }
  return hunted;
}
