import { createHash } from 'node:crypto';
import { sayPlan } from './plan/plan.ts';
import type { Verified } from './verify.ts';
import { timelineOf } from './environment/log.ts';

/** A plan on one line with its writes, its passes and the start of the sha256 of its timeline: equal runs, equal lines. */
export function digestOf({ plan, ran }: Verified): string {
  const timeline = createHash('sha256').update(timelineOf(ran.log).join('\n')).digest('hex');
  return `${sayPlan(plan)} · ${ran.counters.writes} writes, ${ran.passes} passes, ${timeline.slice(0, 16)}`;
}
