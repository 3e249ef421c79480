import { ofKind } from '../plan/trouble.ts';
import { type Life, startLife } from './life.ts';
import type { Stage } from './stage.ts';

/** The processes of a plan, in sequence or in parallel. */
export interface Crew {
  readonly all: () => readonly Life[];
  /** The process that responds; null while none is alive. */
  readonly serving: () => Life | null;
  readonly begin: () => Promise<void>;
  /** Whether a process has died since the last call; its remains are then cleaned up. */
  readonly bury: () => Promise<boolean>;
  /** Ends the processes that are still alive. */
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
      // The second process never dies, because the faults of a successor equal those of the first.
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
