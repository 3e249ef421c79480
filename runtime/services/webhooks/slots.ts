import { turnMs } from '../../../rules/webhookDelivery/facts.ts';

interface Granted {
  readonly project: string;
  readonly since: number;
  readonly isUsed: boolean;
}

/** The places of deliveries that are sent at the same time. They go round by project, so that none holds all others up. */
export interface Slots {
  /** Replaces what a project waits for; returns the projects that have got a turn. */
  readonly ask: (project: string, waiting: readonly string[], now: number) => readonly string[];
  readonly has: (delivery: string) => boolean;
  readonly use: (delivery: string) => void;
  /** Gives a place back; returns the projects that have got a turn. */
  readonly free: (delivery: string, now: number) => readonly string[];
  readonly taken: () => number;
}

export function makeSlots(count: number): Slots {
  const waiting = new Map<string, readonly string[]>();
  const granted = new Map<string, Granted>();

  const dropUnused = (now: number) => {
    for (const [delivery, { since, isUsed }] of granted) if (!isUsed && now - since >= turnMs) granted.delete(delivery);
  };

  /** The project that comes first gives way to the others. */
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
      // Its place among the projects stays.
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
