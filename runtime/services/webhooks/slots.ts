import { turnMs } from '../../../rules/webhookDelivery/facts.ts';

interface Granted {
  readonly project: string;
  readonly since: number;
  readonly isUsed: boolean;
}

/** The slots of concurrent deliveries, assigned to the projects in turn, so that none blocks the others. */
export interface Slots {
  /** Sets the waiting deliveries of a project; returns the projects that got a slot. */
  readonly ask: (project: string, waiting: readonly string[], now: number) => readonly string[];
  readonly has: (delivery: string) => boolean;
  readonly use: (delivery: string) => void;
  /** Frees a slot; returns the projects that got one. */
  readonly free: (delivery: string, now: number) => readonly string[];
  readonly taken: () => number;
}

export function makeSlots(count: number): Slots {
  const waiting = new Map<string, readonly string[]>();
  const granted = new Map<string, Granted>();

  const dropUnused = (now: number) => {
    for (const [delivery, { since, isUsed }] of granted) if (!isUsed && now - since >= turnMs) granted.delete(delivery);
  };

  /** Grants a slot to the first project, which then moves to the end. */
  function grantOne(now: number): string | null {
    const [next] = waiting;
    if (next === undefined) return null;
    const [project, [delivery = '', ...others]] = next;
    waiting.delete(project);
    if (others.length > 0) waiting.set(project, others);
    granted.set(delivery, { project, since: now, isUsed: false });
    return project;
  }

  function grant(now: number): readonly string[] {
    dropUnused(now);
    const projects = new Set<string>();
    while (granted.size < count) {
      const project = grantOne(now);
      if (project === null) break;
      projects.add(project);
    }
    return [...projects];
  }

  return {
    ask: (project, asked, now) => {
      for (const [delivery, one] of granted)
        if (one.project === project && !one.isUsed && !asked.includes(delivery)) granted.delete(delivery);
      const rest = asked.filter((delivery) => !granted.has(delivery));
      // It keeps its place among the projects.
      if (rest.length > 0) waiting.set(project, rest);
      else waiting.delete(project);
      return grant(now);
    },
    has: (delivery) => granted.has(delivery),
    use: (delivery) => {
      const one = granted.get(delivery);
      if (one) granted.set(delivery, { ...one, isUsed: true });
    },
    free: (delivery, now) => {
      granted.delete(delivery);
      return grant(now);
    },
    taken: () => granted.size,
  };
}
