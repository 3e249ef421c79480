import type { Check } from '../../../rules/nextCheck.ts';
import type { Explanation, Read } from '../../api.ts';
import { maxFailures, failuresOf } from './attempts.ts';
import { capital } from './capital.ts';
import { checkOf } from './nextCheck.ts';

/** What the top of a resource's page says: what it is, since when, and what comes next. */
export interface ResourceSummary {
  readonly sentence: string;
  /** When its state began; empty where that is not known. */
  readonly since: string;
  /** When the next pass is due; null where nothing is announced. */
  readonly nextCheck: Check | null;
  /** Smaller facts, such as how many copies are ready. */
  readonly notes: readonly string[];
}

function failuresWord({ status, resource: { state } }: Read): readonly string[] {
  const count = failuresOf(status);
  return count === 0 || state === 'ready' ? [] : [`counted failures ${count} of ${maxFailures}`];
}

/** The earliest announced check of an object's machines. */
export function nextCheckOf(explanations: readonly Explanation[]): Check | null {
  const [first] = explanations.flatMap((one) => checkOf(one) ?? []).toSorted((a, b) => (a.at < b.at ? -1 : 1));
  return first ?? null;
}

/** The state that pages report of an object whose machine is in one of these. */
const reportedAs: Readonly<Record<string, string>> = {
  Draft: 'draft',
  Provisioning: 'pending',
  Ready: 'ready',
  Asleep: 'ready',
  ProvisionFailed: 'failed',
  FinalBackup: 'deleting',
  Deleting: 'deleting',
};

/** Since when it is in the state beside it; empty where its machine is in another one, as before it takes up a deploy. */
const sinceOf = ({ resource }: Read, main: Explanation | undefined): string =>
  main !== undefined && reportedAs[main.state] === resource.state ? main.since : '';

/** What is known of a resource by its main machine, in the words of its Ready condition where it has any. */
export function resourceSummary(read: Read, machine: string, explanations: readonly Explanation[]): ResourceSummary {
  const main = explanations.find((one) => one.machine === machine);
  return {
    sentence: capital(read.resource.message || (main?.text ?? '')),
    since: sinceOf(read, main),
    nextCheck: nextCheckOf(explanations),
    notes: failuresWord(read),
  };
}
