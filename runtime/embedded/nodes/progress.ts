import type { Plan } from './plan.ts';
import type { Container, Pod } from './shapes.ts';
import { type Moment, momentAt, readyAt } from './timeline.ts';

/** Where each container of a pod is; `notYet`: those before it have not come to their end. */
export interface Progress {
  readonly init: readonly Step[];
  readonly main: readonly Step[];
  readonly ephemeral: readonly Step[];
  readonly initialized: boolean;
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed';
  /** When something changes by itself; Infinity when nothing will. */
  readonly until: number;
}

export interface Step {
  readonly container: Container;
  /** `held`: its turn has come, and this is why it does not start. */
  readonly moment: Moment | { readonly is: 'notYet'; readonly held?: string; readonly lacks?: string };
  /** When it becomes ready, if it runs on. */
  readonly readyAt: number;
}

/** Init containers one after the other, then the main ones together. */
export function progressAt(pod: Pod, plan: Plan, now: number): Progress {
  const { initContainers = [], containers = [], ephemeralContainers = [], restartPolicy = 'Always' } = pod.spec ?? {};
  const { backoffSeconds } = plan;
  let from: number | null = plan.lacks === undefined ? Math.max(plan.placedAt, plan.notBefore ?? 0) : null;
  const step = (container: Container, init: boolean): Step => {
    const course = plan.containers[container.name];
    if (from === null || from > now || !course) return { container, moment: { is: 'notYet' }, readyAt: Infinity };
    if (course.waiting !== undefined)
      return { container, moment: { is: 'notYet', held: course.waiting }, readyAt: Infinity };
    if (course.lacks !== undefined)
      return { container, moment: { is: 'notYet', held: configError, lacks: course.lacks }, readyAt: Infinity };
    const startsAt = Math.max(from, course.notBefore ?? 0);
    const moment = momentAt(course, { policy: restartPolicy, init, backoffSeconds }, startsAt, now);
    return { container, moment, readyAt: moment.is === 'running' ? readyAt(course, moment.startedAt) : Infinity };
  };
  const init = initContainers.map((container) => {
    const made = step(container, true);
    from = succeededAt(made);
    return made;
  });
  const initialized = init.length === 0 || from !== null;
  const main = containers.map((container) => step(container, false));
  const ephemeral = ephemeralContainers.map((container): Step => {
    const course = plan.containers[container.name];
    if (course?.addedAt === undefined) return { container, moment: { is: 'notYet' }, readyAt: Infinity };
    const once = { policy: 'Never', init: false, backoffSeconds } as const;
    return { container, moment: momentAt(course, once, course.addedAt, now), readyAt: Infinity };
  });
  const steps = [...init, ...main, ...ephemeral];
  const waitsForClock = from !== null && from > now ? [from] : [];
  return {
    init,
    main,
    ephemeral,
    initialized,
    phase: phaseOf(init, main),
    until: Math.min(...waitsForClock, ...steps.map(untilOf), ...main.map((one) => later(one.readyAt, now))),
  };
}

/** What a kubelet calls an environment that cannot be set. */
const configError = 'CreateContainerConfigError';

const later = (time: number, now: number) => (time > now ? time : Infinity);
const exitCode = ({ moment }: Step) => (moment.is === 'ended' ? moment.run.exitCode : null);
const succeededAt = ({ moment }: Step) =>
  moment.is === 'ended' && moment.run.exitCode === 0 ? moment.run.endedAt : null;
const untilOf = ({ moment }: Step) => (moment.is === 'running' || moment.is === 'backingOff' ? moment.until : Infinity);

function phaseOf(init: readonly Step[], main: readonly Step[]): Progress['phase'] {
  const failed = (step: Step) => (exitCode(step) ?? 0) !== 0;
  if (init.some(failed)) return 'Failed';
  if (main.every((step) => exitCode(step) !== null)) return main.some(failed) ? 'Failed' : 'Succeeded';
  if (main.some(({ moment }) => moment.is === 'notYet' && moment.held !== undefined)) return 'Pending';
  return main.some(({ moment }) => moment.is !== 'notYet') ? 'Running' : 'Pending';
}
