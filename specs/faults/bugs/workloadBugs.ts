import * as confirm from '../../../runtime/command/confirm.ts';
import { Effect } from 'effect';
import { isOf } from '../../../rules/owned/ownedObject.ts';
import * as running from '../../../rules/draftDeploy/running.ts';
import * as engine from '../../../rules/engine.ts';
import { replicasOf } from '../../../rules/service/effective.ts';
import * as wakePlan from '../../../rules/service/wakePlan.ts';
import * as appliedFields from '../../../runtime/cache/appliedFields.ts';
import * as settled from '../../../runtime/controllers/app/owned/settled.ts';
import * as observe from '../../../runtime/controllers/app/observe.ts';
import * as wake from '../../../runtime/controllers/app/owned/wake.ts';
import * as compare from '../../../runtime/owned/compare.ts';
import { both, type Bug, replaced } from './bug.ts';

/** Bugs of what a service runs on, each with the plan that shows it. */
export const workloadBugs: readonly (Bug & { readonly plan: string })[] = [
  {
    name: 'drift missed',
    family: 'recovery',
    text: 'what was edited by hand is not put back',
    plan: 'service / made by hand / hand does=more_pods_are_asked_for in=Ready',
    plant: replaced(observe, 'workloadSeen', (original) => (difference) => {
      const is = original(difference);
      return is === 'stale' ? 'current' : is;
    }),
  },
  {
    name: 'snapshot ignored',
    family: 'wrong rule',
    text: 'a change that waits for a deploy runs at once',
    plan: 'service / a change waits while copies and host change',
    plant: replaced(running, 'runningSpec', (original) => (state, object) => original(state, object) && object.spec),
  },
  {
    name: 'foreign object adopted',
    family: 'ownership',
    text: 'an object of somebody else under a name of ours is written over',
    plan: 'service / somebody has its name',
    plant: replaced(
      compare,
      'whyUnmanaged',
      (original) => (live, owner) => (isOf(live, owner) ? original(live, owner) : null),
    ),
  },
  {
    name: 'retry without a timer',
    family: 'lost requeue',
    text: 'a counted failure that no event ends is not tried again, and the service is never given up',
    plan: 'service / somebody has its name',
    plant: replaced(engine, 'requeueAfterMs', (original) => (look, facts, now) => {
      const afterMs = original(look, facts, now);
      return 'afterMs' in look && afterMs > 0 ? Number.MAX_SAFE_INTEGER : afterMs;
    }),
  },
  {
    name: 'replicas fought over',
    family: 'hot loop',
    text: 'the copies that an autoscaler has set are written over',
    plan: 'service / it is autoscaled',
    plant: both(
      replaced(settled, 'replicasToWrite', () => (_, spec) => replicasOf(spec)),
      replaced(appliedFields, 'isScaledElsewhere', () => () => false),
    ),
  },
  {
    name: 'copies counted first',
    family: 'wrong rule',
    text: 'the add-on counts the copies of a service before its visitors come by the proxy',
    plan: 'service / it may sleep later',
    plant: replaced(wakePlan, 'wakePlan', (original) => (host, current) => ({
      ...original(host, current),
      scaled: host !== null,
    })),
  },
  {
    name: 'copies counted to the last',
    family: 'wrong rule',
    text: 'visitors are led past the proxy while the add-on still counts the copies',
    plan: 'service / it is to sleep no more',
    plant: replaced(
      wake,
      'settledWake',
      (original) => (app, spec, reader) =>
        Effect.map(original(app, spec, reader), (found) =>
          found.released ? { plan: wakePlan.neverSleeps, released: undefined } : found,
        ),
    ),
  },
  {
    name: 'sleeper left without a copy',
    family: 'wrong rule',
    text: 'visitors are led to a service before it has a copy again',
    plan: 'service / it is to sleep no more',
    plant: replaced(
      wakePlan,
      'wakePlan',
      (original) => (host, current) => (host === null ? wakePlan.neverSleeps : original(host, current)),
    ),
  },
  {
    name: 'lost command carried out twice',
    family: 'lost answer',
    text: 'a command whose answer is lost is not looked for, but carried out once more',
    plan: 'service / a change waits and is deployed / loseAnswer noticed=atOnce at=17 for=1',
    plant: replaced(confirm, 'confirmMove', () => (_, lost) => Effect.fail(lost)),
  },
];
