import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { eachOf } from '../../runtime/contract/eachOf.ts';
import { ActionFailed } from '../../runtime/contract/lifecycle.ts';
import { Refused, Unavailable } from '../../runtime/services/cluster/cluster.ts';
import { suite } from '../support/suite.ts';

const spec = suite('acting on each of several items');

const silent = new Unavailable({ message: 'no answer' });
const quota = new Refused({ status: 403, message: 'exceeded quota: few' });
const denied = new Refused({ status: 403, message: 'denied' });
const waits = new ActionFailed({ action: 'a', retry: 'waiting', message: 'not yet' });

const failing = async (...failures: readonly (Unavailable | Refused | ActionFailed | null)[]) => {
  const seen: unknown[] = [];
  const acting = eachOf(failures, (failure) => {
    seen.push(failure);
    return failure === null ? Effect.succeed('done') : Effect.fail(failure);
  });
  const ended = await Effect.runPromise(Effect.match(acting, { onSuccess: (all) => all, onFailure: (error) => error }));
  assert.equal(seen, failures);
  return ended;
};

spec('every item has its turn, and the gravest failure is reported', async () => {
  assert.equal(await failing(null, null), ['done', 'done']);
  assert.is(await failing(silent, null, quota, waits), quota);
  assert.is(await failing(quota, denied, silent), denied);
  assert.is(await failing(waits, silent), waits);
});

spec.run();
