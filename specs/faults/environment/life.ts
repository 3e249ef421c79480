import { type Context, Effect } from 'effect';
import type { Services } from '../../../runtime/start.ts';
import { ofKind, type Trouble } from '../plan/trouble.ts';
import { type OutsideCall, withRecordedCalls } from './recordedCalls.ts';
import type { Running, PlanEnvironment } from './planEnvironment.ts';

type Dies = Extract<Trouble, { readonly is: 'dies' | 'diesStarting' }>;

/** One process: its name, its progress, and whether it is dead. */
export interface Life {
  readonly name: string;
  readonly started: Running;
  readonly calls: () => number;
  /** Calls of the cluster, reads among them. */
  readonly recordedCalls: () => number;
  readonly dead: () => boolean;
  /** Lets the process pause this long. */
  readonly pause: (ms: number) => void;
}

const leaseSeconds = 60;
/** The leader has acted by then, and a command is still answered. */
const leaderActsMs = 2_000;
/** No two calls receive a response at the same moment. */
const callMs = 1;

/** Starts the n-th process, from 0, and lets it become idle, or die. */
export async function startLife(
  planEnvironment: PlanEnvironment,
  index: number,
  dies: Dies | undefined,
): Promise<Life> {
  const { time, plan, log, touch, calling, called, wake } = planEnvironment;
  const name = `operator ${index + 1}`;
  const process = time.process();
  const pauses = index === 0 ? ofKind(plan.troubles, 'stands') : [];
  const serves = index === 1 ? ofKind(plan.troubles, 'serves') : [];
  let dead = false;
  let calls = 0;
  let recordedCalls = 0;

  const die = Effect.suspend(() => {
    dead = true;
    if (dies) touch(dies);
    log.add(name, 'dies');
    return Effect.never;
  });
  const diesAt = (at: number, when: 'before' | 'after') => dies?.is === 'dies' && dies.at === at && dies.when === when;
  const stand = (when: 'before' | 'after', at: number) =>
    Effect.suspend(() => {
      const trouble =
        pauses.find((one) => one.at === at && one.when === when) ??
        (when === 'before' ? serves.find((one) => one.at === at) : undefined);
      if (!trouble) return Effect.void;
      touch(trouble);
      pause(trouble.is === 'stands' ? trouble.ms : leaderActsMs);
      return Effect.yieldNow;
    });
  const pause = (ms: number) => {
    log.add(name, `stands still for ${ms / 1_000} s`);
    process.freeze();
    wake(time.now() + ms, () => {
      process.thaw();
      log.add(name, 'goes on');
    });
  };

  const recordCall = <A, E>(run: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      if (dead) return Effect.never;
      recordedCalls++;
      return dies?.is === 'diesStarting' && dies.at === recordedCalls ? die : run;
    });

  const around = <A, E>(call: OutsideCall, run: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      if (dead) return Effect.never;
      const at = ++calls;
      calling(name, call);
      if (diesAt(at, 'before')) return die;
      return Effect.andThen(
        stand('before', at),
        Effect.flatMap(Effect.exit(run), (exit) => {
          if (dead) return Effect.never;
          time.elapse(callMs);
          called(name, call, exit);
          if (diesAt(at, 'after')) return die;
          return Effect.andThen(stand('after', at), exit);
        }),
      );
    });

  const services: Context.Context<Services> = process.over(
    withRecordedCalls(planEnvironment.networkOf(), around, recordCall),
  );
  log.add(name, 'starts');
  const lease =
    ofKind(plan.troubles, 'standBy', 'serves').length > 0 ? { identity: name, seconds: leaseSeconds } : undefined;
  const started = await time.wait(planEnvironment.start(services, lease));
  await time.settle();
  return { name, started, calls: () => calls, recordedCalls: () => recordedCalls, dead: () => dead, pause };
}
