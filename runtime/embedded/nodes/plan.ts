import { runAnnotationOf } from '../runAnnotation.ts';
import { runsByItself } from './containerCommand.ts';
import { glob } from './glob.ts';
import type { Rule } from './schema.ts';
import { type Container, type Pod, controllerOf } from './shapes.ts';
import type { Course } from './timeline.ts';

/** How one container runs and what it says; `failedLog` is what a run that fails says instead. */
export interface ContainerPlan extends Course {
  /** Set for an ephemeral container: when it was added. */
  readonly addedAt?: number;
  /** The simulated shell runs its command, whose output is the log and whose exit is the end. */
  readonly runs?: true;
  readonly terminationMessage: string;
  readonly log: string;
  readonly failedLog: string;
}

/** How a pod runs, decided when it is placed and kept with it: what changes later is not for this pod. */
export interface Plan {
  readonly placedAt: number;
  readonly backoffSeconds: number;
  /** What of its volumes is not there yet, in a kubelet's words. */
  readonly lacks?: string;
  /** No container starts before: then the volumes were there. */
  readonly notBefore?: number;
  /** The address of the pod and that of its node. */
  readonly ip?: string;
  readonly hostIp?: string;
  readonly containers: Readonly<Record<string, ContainerPlan>>;
}

const buildSteps = [
  '{{time}} Retrieving image manifest of the base image',
  '{{time}} Unpacking the base image',
  '{{time}} Running the steps of the recipe',
  '{{time}} Taking a snapshot of the file system',
];
const builderLog = [...buildSteps, '{{time}} Pushing {{image}}', 'Pushed {{image}}@{{digest}}'].join('\n');
const failedBuilderLog = [...buildSteps, '{{time}} error: building the image failed'].join('\n');

/** What a container does of which no rule says anything. */
type Habit = Pick<ContainerPlan, 'afterSeconds' | 'terminationMessage' | 'log' | 'failedLog'>;

const builder: Habit = {
  afterSeconds: 1,
  terminationMessage: '{{digest}}',
  log: builderLog,
  failedLog: failedBuilderLog,
};
const task: Habit = {
  afterSeconds: 1,
  terminationMessage: '',
  log: '{{time}} Started\n{{time}} Done',
  failedLog: '{{time}} Started\n{{time}} Failed',
};
const service: Habit = {
  afterSeconds: null,
  terminationMessage: '',
  log: '{{time}} Started',
  failedLog: '{{time}} Started\n{{time}} Failed',
};

const ofItsCommand: ContainerPlan = {
  afterSeconds: null,
  exitCode: 0,
  fails: 0,
  terminationMessage: '',
  log: '',
  failedLog: '',
  runs: true,
};

/** Decides how a pod runs. `earlier` pods of the same owner used up that many of a rule's failures. */
export function planOf(
  pod: Pod,
  simulation: { readonly rules: readonly Rule[]; readonly backoffSeconds: number },
  earlier: number,
  placedAt: number,
): Plan {
  const planned = (init: boolean) => (container: Container) => {
    const rule = simulation.rules.find((candidate) => matches(candidate, pod, container, init));
    if (!rule && runsByItself(container)) return [container.name, ofItsCommand] as const;
    return [container.name, containerPlan(rule ?? { match: {} }, habitOf(pod, container, init), earlier)] as const;
  };
  const { initContainers = [], containers = [] } = pod.spec ?? {};
  const all = [...initContainers.map(planned(true)), ...containers.map(planned(false))];
  return { placedAt, backoffSeconds: simulation.backoffSeconds, containers: Object.fromEntries(all) };
}

/** The plan with the ephemeral containers that were added to a pod that already runs; the very same with none. */
export function withAdded(pod: Pod, plan: Plan, rules: readonly Rule[], now: number): Plan {
  const added = (pod.spec?.ephemeralContainers ?? []).filter(({ name }) => plan.containers[name] === undefined);
  if (added.length === 0) return plan;
  const all = added.map((container) => {
    const rule = rules.find(({ match }) => match.container === container.name);
    if (!rule && runsByItself(container)) return [container.name, { ...ofItsCommand, addedAt: now }] as const;
    const planned = containerPlan(rule ?? { match: {} }, service, 0);
    return [container.name, { ...planned, log: rule?.log ?? '', addedAt: now }] as const;
  });
  return { ...plan, containers: { ...plan.containers, ...Object.fromEntries(all) } };
}

function matches({ match }: Rule, pod: Pod, container: Container, init: boolean): boolean {
  if (init && match.container === undefined && match.image === undefined) return false;
  const labels = pod.metadata.labels ?? {};
  return (
    (match.container === undefined || match.container === container.name) &&
    (match.image === undefined || glob(match.image)(container.image ?? '')) &&
    (match.name === undefined || glob(match.name)(pod.metadata.name)) &&
    Object.entries(match.labels ?? {}).every(([name, value]) => labels[name] === value)
  );
}

function habitOf(pod: Pod, container: Container, init: boolean): Habit {
  if (init) return task;
  if (container.name === 'builder') return builder;
  return controllerOf(pod)?.kind === 'Job' ? task : service;
}

function containerPlan(rule: Rule, habit: Habit, earlier: number): ContainerPlan {
  const exitCode = rule.exitCode ?? 0;
  const ends = rule.afterSeconds !== undefined || rule.exitCode !== undefined || rule.fails !== undefined;
  const log = rule.log ?? (exitCode === 0 ? habit.log : habit.failedLog);
  return {
    afterSeconds: rule.hang ? null : (rule.afterSeconds ?? (ends ? 1 : habit.afterSeconds)),
    exitCode,
    fails: Math.max(0, (rule.fails ?? 0) - earlier),
    terminationMessage: rule.terminationMessage ?? (exitCode === 0 ? habit.terminationMessage : ''),
    log,
    failedLog: rule.log ?? habit.failedLog,
    ...readinessOf(rule),
    ...(rule.waiting !== undefined && { waiting: rule.waiting }),
  };
}

function readinessOf({ ready, readyAfterSeconds }: Rule): Pick<ContainerPlan, 'readyAfterSeconds'> {
  if (ready === false) return { readyAfterSeconds: null };
  return readyAfterSeconds === undefined ? {} : { readyAfterSeconds };
}

/** The pod with a plan in the annotation of that name, or in place of the one it has. */
export function withPlan(pod: Pod, plan: Plan, mark = runAnnotationOf(pod.metadata)): Pod {
  if (mark === undefined) return pod;
  const annotations = { ...pod.metadata.annotations, [mark]: JSON.stringify(plan) };
  return { ...pod, metadata: { ...pod.metadata, annotations } };
}

const plans = new WeakMap<Pod['metadata'], Plan | null>();

/** The plan a pod keeps, or null when it has none that can be read. */
export function planKept({ metadata }: Pod): Plan | null {
  const known = plans.get(metadata);
  if (known !== undefined) return known;
  const plan = parsed(metadata.annotations?.[runAnnotationOf(metadata) ?? '']);
  plans.set(metadata, plan);
  return plan;
}

function parsed(text: string | undefined): Plan | null {
  if (text === undefined) return null;
  try {
    const plan = JSON.parse(text) as Partial<Plan> | null;
    const whole = typeof plan?.placedAt === 'number' && typeof plan.containers === 'object';
    return whole ? (plan as Plan) : null;
  } catch {
    return null;
  }
}
