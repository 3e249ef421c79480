import { Context, Effect, Result } from 'effect';
import * as assert from 'uvu/assert';
import { Conflict, NotFound } from '../../../runtime/services/cluster/cluster.ts';
import { deadline, retryConflicts } from '../../../runtime/services/cluster/retryConflicts.ts';
import { suite } from '../../support/suite.ts';
import { virtualTime } from '../../support/virtualTime.ts';

const spec = suite('a conflict with another writer');

interface Failing {
  readonly _tag: string;
  readonly isAnother?: true;
}

/** Sends a request that fails as long as `failing` says so; when it was sent, in ms, and how it ended. */
async function send(failing: (tries: number, now: number) => Failing | null) {
  const time = virtualTime();
  const start = time.now();
  const sentAt: number[] = [];
  const request = Effect.suspend(() => {
    sentAt.push(time.now() - start);
    const failure = failing(sentAt.length, time.now() - start);
    return failure === null ? Effect.succeed('stored') : Effect.fail(failure);
  });
  const sent = Effect.result(Effect.flatMap(deadline, (until) => retryConflicts(request, until)));
  const running = Effect.runPromise(Effect.provideContext(sent, time.over(Context.empty())));
  await time.settle();
  for (let at = time.next(); at !== undefined; at = time.next()) await time.moveTo(at);
  const result = await time.wait(running);
  return { sentAt, tag: Result.isSuccess(result) ? result.success : result.failure._tag };
}

spec('a request is sent once more, each time a little later, until it is stored', async () => {
  const { sentAt, tag } = await send((tries) => (tries < 10 ? new Conflict({ what: 'web' }) : null));
  assert.is(tag, 'stored');
  const pauses = sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? 0));
  assert.is(pauses.length, 9);
  assert.ok(
    pauses.every((pause, index) => pause > 0 && pause >= (pauses[index - 1] ?? 0) && pause <= 500),
    pauses.join(),
  );
});

spec('a conflict that lasts fails after ten seconds, and not before', async () => {
  const { sentAt, tag } = await send(() => new Conflict({ what: 'web' }));
  assert.is(tag, 'Conflict');
  const last = sentAt.at(-1) ?? 0;
  assert.ok(last >= 10_000 && last <= 10_500, `last sent after ${last} ms`);
  assert.is((await send((_, now) => (now < 9_000 ? new Conflict({ what: 'web' }) : null))).tag, 'stored');
});

spec('a conflict with another object of the same name, or another failure, is not retried', async () => {
  assert.equal((await send(() => new Conflict({ what: 'web', isAnother: true }))).sentAt, [0]);
  assert.equal((await send(() => new NotFound({ what: 'web' }))).sentAt, [0]);
});

spec.run();
