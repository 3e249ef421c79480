import { ofKind } from '../plan/trouble.ts';
import { type Life, startLife } from './life.ts';
import type { PlanEnvironment } from './planEnvironment.ts';

/** The processes of a plan, in sequence or in parallel. */
export interface Processes {
  readonly all: () => readonly Life[];
  /** The process that responds; null while none is alive. */
  readonly serving: () => Life | null;
  readonly begin: () => Promise<void>;
  /** Whether a process has died since the last call; its remains are then cleaned up. */
  readonly bury: () => Promise<boolean>;
  /** Ends the processes that are still alive. */
  readonly end: () => Promise<void>;
  /** Carries out what the plan does to the processes once everything rests; returns whether it did anything. */
  readonly renew: () => Promise<boolean>;
}

/** Longer than the lease. */
const pauseMs = 240_000;

export function makeProcesses(planEnvironment: PlanEnvironment): Processes {
  const { plan, time, touch } = planEnvironment;
  const deaths = ofKind(plan.troubles, 'dies');
  const deathsOfStart = [...ofKind(plan.troubles, 'diesStarting')];
  const renewals = [...ofKind(plan.troubles, 'restarts', 'handsOver')];
  const [two] = ofKind(plan.troubles, 'twins', 'standBy', 'serves');
  const lives: Life[] = [];
  const ended = new Set<Life>();

  const living = () => lives.filter((life) => !life.dead() && !ended.has(life));
  const end = async (ending: readonly Life[]) => {
    for (const life of ending) {
      ended.add(life);
      await time.wait(life.started.crash());
    }
  };
  const begin = async () => {
    const isAlone = living().length === 0;
    const dies = planEnvironment.isAtRest() ? deathsOfStart.shift() : deaths[lives.length];
    lives.push(await startLife(planEnvironment, lives.length, dies));
    if (!two || !isAlone) return;
    // A pause of the second one is touched when it comes.
    if (two.is !== 'serves' || two.at === undefined) touch(two);
    // The second process never dies, because the faults of a successor equal those of the first.
    lives.push(await startLife(planEnvironment, lives.length, undefined));
  };
  const leader = async (): Promise<Life | undefined> => {
    for (const life of living()) if (await time.wait(life.started.leads())) return life;
    return undefined;
  };

  return {
    all: () => lives,
    serving: () => living().at(two?.is === 'serves' ? -1 : 0) ?? null,
    begin,
    bury: async () => {
      const dead = lives.filter((life) => life.dead() && !ended.has(life));
      await end(dead);
      return dead.length > 0;
    },
    end: () => end(living()),
    renew: async () => {
      const renewal = renewals.shift();
      if (!renewal) return false;
      touch(renewal);
      const leads = await leader();
      planEnvironment.rests(renewal);
      if (renewal.is === 'handsOver' && renewal.by === 'pause') {
        leads?.pause(pauseMs);
        return true;
      }
      await end(renewal.is === 'restarts' ? living() : leads ? [leads] : []);
      await begin();
      return true;
    },
  };
}
