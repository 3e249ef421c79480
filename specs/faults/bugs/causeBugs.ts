import { Effect } from 'effect';
import { hashOf } from '../../../rules/canonical.ts';
import * as causeEvent from '../../../rules/cause/event.ts';
import * as record from '../../../rules/cause/record.ts';
import { isoTime } from '../../../rules/time.ts';
import * as each from '../../../runtime/contract/eachOf.ts';
import { type Bug, replaced } from './bug.ts';

/** Bugs of causes and of what they need, each with the plan that shows it. */
export const causeBugs: readonly (Bug & { readonly plan: string })[] = [
  {
    name: 'root not cleared',
    family: 'memory instead of state',
    text: 'a cause that stays keeps the root that it had first',
    plan: 'environments / the project waits for a Secret, then for its cluster, then for the Secret',
    plant: replaced(record, 'recordedCauses', (original) => (before, ...given) => {
      const recorded = original(before, ...given);
      const nameOf = ({ of, reason, on }: (typeof before)[number]) => hashOf([of, reason, on]);
      const kept = new Map(before.flatMap((cause) => (cause.root ? [[nameOf(cause), { root: cause.root }]] : [])));
      return { ...recorded, causes: recorded.causes.map((one) => ({ ...one, ...kept.get(nameOf(one)) })) };
    }),
  },
  {
    name: 'Event named by pod',
    family: 'effect twice',
    text: 'the Event of a cause is named by the pod that shows it, so that each restart makes another one',
    plan: 'service / it crashes once it runs, and gets well',
    plant: replaced(causeEvent, 'eventOfCause', (original) => (cause) => {
      const event = original(cause);
      return event && { ...event, id: `cause.${hashOf([cause.on, cause.lastAt]).slice(0, 12)}` };
    }),
  },
  {
    name: '`since` anew each pass',
    family: 'hot loop',
    text: 'each pass begins the causes that it finds anew',
    plan: 'service / it crashes once it runs, and gets well',
    plant: replaced(record, 'recordedCauses', (original) => (before, findings, now, ...given) => {
      const recorded = original(before, findings, now, ...given);
      return { ...recorded, causes: recorded.causes.map((one) => ({ ...one, since: isoTime(now) })) };
    }),
  },
  {
    name: 'loop ends at first failure',
    family: 'swallowed error',
    text: 'one environment that cannot be written keeps the others from being put back',
    plan: 'projectReady / a namespace hangs while a policy of another is deleted',
    plant: replaced(each, 'eachOf', () => (items, act) => Effect.forEach(items, act)),
  },
];
