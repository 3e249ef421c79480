import type { Store } from '../store.ts';
import { type ContainerPlan, type Plan } from './plan.ts';
import { unmounted, unset } from './podSources.ts';
import { statusesOf } from './podStatus.ts';
import type { Container, Pod } from './shapes.ts';

/**
 * The plan as the Secrets and ConfigMaps of the pod let it run by now; the very same when nothing changed. What has
 * started goes on whatever becomes of them.
 */
export function withSources(store: Store, pod: Pod, plan: Plan, now: number): Plan {
  const started = startedIn(pod);
  const mounted = started.size > 0 ? plan : waitingFor(plan, unmounted(store, pod), now);
  const changed = containersOf(pod).flatMap((container) => {
    const course = plan.containers[container.name];
    if (!course || started.has(container.name)) return [];
    const next: ContainerPlan = waitingFor(course, unset(store, pod, container), now);
    return next === course ? [] : [[container.name, next] as const];
  });
  if (changed.length === 0) return mounted;
  return { ...mounted, containers: { ...mounted.containers, ...Object.fromEntries(changed) } };
}

/** Whether a pod waits for a Secret or a ConfigMap. */
export const lacksSources = ({ lacks, containers }: Plan): boolean =>
  lacks !== undefined || Object.values(containers).some((course) => course.lacks !== undefined);

interface MayLack {
  readonly lacks?: string;
  readonly notBefore?: number;
}

function waitingFor<Waits extends MayLack>(waits: Waits, missing: string | null, now: number): Waits {
  if (missing === (waits.lacks ?? null)) return waits;
  if (missing !== null) return { ...waits, lacks: missing };
  const { lacks: _, ...rest } = waits;
  return { ...rest, notBefore: now } as Waits;
}

const startedIn = ({ status }: Pod): ReadonlySet<string> =>
  new Set(statusesOf(status).flatMap(({ name, containerID }) => (containerID === undefined ? [] : [name])));

const containersOf = ({ spec }: Pod): readonly Container[] => [
  ...(spec?.initContainers ?? []),
  ...(spec?.containers ?? []),
];
