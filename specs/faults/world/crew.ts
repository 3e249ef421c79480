import { ofKind } from '../plan/trouble.ts';
import { type Life, startLife } from './life.ts';
import type { Stage } from './stage.ts';

/** The processes of a plan, one after the other or side by side. */
export interface Crew {
  readonly all: () => readonly Life[];
  /** Whoever answers; null while nobody lives. */
  readonly serving: () => Life | null;
  readonly begin: () => Promise<void>;
  /** Whether somebody has died since it was last asked; then nothing of him is left. */
  readonly bury: () => Promise<boolean>;
  /** Ends whoever still lives. */
  readonly end: () => Promise<void>;
}

export function makeCrew(stage: Stage): Crew {
  const { plan, time, touch } = stage;
  const deaths = ofKind(plan.troubles, 'dies');
  const [two] = ofKind(plan.troubles, 'twins', 'standBy');
  const lives: Life[] = [];
  const buried = new Set<Life>();

  const end = async (ended: readonly Life[]) => {
    for (const life of ended) await time.wait(life.started.crash());
  };
  return {
    all: () => lives,
    serving: () => lives.find((life) => !life.dead()) ?? null,
    begin: async () => {
      lives.push(await startLife(stage, lives.length, deaths[lives.length]));
      if (!two || lives.length > 1) return;
      touch(two);
      // The second one dies of nothing: what befalls a successor befalls the first.
      lives.push(await startLife(stage, lives.length, undefined));
    },
    bury: async () => {
      const dead = lives.filter((life) => life.dead() && !buried.has(life));
      for (const life of dead) buried.add(life);
      await end(dead);
      return dead.length > 0;
    },
    end: () => end(lives.filter((life) => !life.dead())),
  };
}
