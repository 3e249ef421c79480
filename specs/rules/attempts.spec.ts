import * as assert from 'uvu/assert';
import type { Provision } from '../../crds/provisioning.ts';
import type { StoredCause } from '../../crds/cause.ts';
import { withAfterwards } from '../../rules/provision/afterwards.ts';
import { attemptEnded, attemptStarted, errorRecorded, errorText, lastErrorOf } from '../../rules/provision/attempts.ts';
import { open } from '../../rules/words.ts';
import { suite } from '../support/suite.ts';

const spec = suite('provision attempts');
const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`;

spec('DB-110 DB-112 DB-113 DB-149 an attempt begins as Running and is the active one', () => {
  const begun = attemptStarted(undefined, at(1));
  assert.equal(begun, {
    activeProvisionAttempt: 'attempt-1',
    provisionAttempts: [{ id: 'attempt-1', startedAt: at(1), phase: 'Running', summary: 'Provisioning', errors: [] }],
  });
});

spec('DB-111 the newest eight attempts are kept, newest first, with unique names', () => {
  let provision: Provision | undefined;
  for (let minute = 1; minute <= 11; minute++) provision = attemptStarted(provision, at(minute));
  const ids = provision?.provisionAttempts?.map(({ id }) => id);
  assert.equal(
    ids,
    [11, 10, 9, 8, 7, 6, 5, 4].map((number) => `attempt-${number}`),
  );
  assert.equal(
    provision?.provisionAttempts?.map(({ phase }) => phase),
    ['Running', ...Array.from({ length: 7 }, () => 'Failed')],
  );
  assert.is(provision?.provisionAttempts?.[1]?.summary, 'Superseded by a newer attempt');
});

spec('DB-114 an attempt holds its newest twelve errors', () => {
  let provision = attemptStarted(undefined, at(1));
  for (let count = 1; count <= 14; count++)
    provision = errorRecorded(provision, { recordedAt: at(count), message: `error ${count}` });
  const errors = provision.provisionAttempts?.[0]?.errors ?? [];
  assert.is(errors.length, 12);
  assert.equal(errors.at(-1), { recordedAt: at(14), message: 'error 14' });
  assert.is(errors[0]?.message, 'error 3');
  assert.is(lastErrorOf(provision), 'error 14');
  assert.is(lastErrorOf(attemptStarted(provision, at(15))), '');
});

spec('DB-214 DB-216 an ended attempt is inactive and stays unchanged', () => {
  const begun = attemptStarted(undefined, at(1));
  const ended = attemptEnded(begun, { at: at(2), phase: 'Succeeded', summary: 'Ready' });
  assert.equal(ended, {
    provisionAttempts: [
      { id: 'attempt-1', startedAt: at(1), completedAt: at(2), phase: 'Succeeded', summary: 'Ready', errors: [] },
    ],
  });
  const after = errorRecorded(ended, { recordedAt: at(3), message: 'late' });
  assert.equal(after.provisionAttempts, ended.provisionAttempts);
  const next = attemptStarted(ended, at(4));
  assert.is(next.provisionAttempts?.[1]?.phase, 'Succeeded');
});

const on = { kind: 'Deployment', name: 'web', namespace: 'shop-production' };
const crash: StoredCause = {
  of: 'Ready',
  reason: 'CrashLoop',
  severity: 'failure',
  message: 'the program ends by itself: exit code 1, 3 restarts',
  on,
  since: at(3),
  count: 3,
  lastAt: at(4),
  exitCode: 1,
};
const succeeded = attemptEnded(attemptStarted(undefined, at(1)), {
  at: at(2),
  phase: 'Succeeded',
  summary: 'Provisioned',
});
const after = (causes: readonly StoredCause[], of: Provision = succeeded) =>
  withAfterwards(of, causes)?.provisionAttempts?.[0]?.afterwards;

spec('an attempt that succeeded tells how its copies failed afterwards', () => {
  assert.equal(after([crash]), {
    reason: 'CrashLoop',
    message: 'Succeeded, then crashed: exit code 1',
    at: at(4),
    count: 3,
  });
  const {
    lastAt: _,
    count: __,
    exitCode: ___,
    ...moved
  } = { ...crash, reason: 'ImagePullFailed', message: 'no image' };
  assert.equal(after([moved]), {
    reason: 'ImagePullFailed',
    message: 'Succeeded, then failed: no image',
    at: at(3),
    count: 1,
  });
  assert.match(after([{ ...crash, reason: 'OutOfMemory' }])?.message ?? '', 'then was killed at its memory limit');
});

spec('what happened before an attempt succeeded, or is no failure of its copies, is not told afterwards', () => {
  assert.is(after([{ ...crash, lastAt: at(2), since: at(1) }]), undefined);
  assert.is(after([{ ...crash, severity: 'note' }]), undefined);
  assert.is(after([{ ...crash, reason: 'ProjectNotReady' }]), undefined);
  assert.is(after([crash], attemptStarted(undefined, at(1))), undefined, 'while it runs');
});

spec('what happened afterwards stays with its attempt', () => {
  const told = withAfterwards(succeeded, [crash]);
  assert.equal(withAfterwards(told, []), told);
  const next = attemptStarted(told, at(9));
  assert.is(next.provisionAttempts?.[1]?.afterwards?.count, 3);
});

spec('an error of an attempt is the message, then the cause where that says more', () => {
  const text = (message: string, why: string) =>
    errorText({ text: message }, [{ reason: 'CrashLoop', message: { text: why }, on, logLine: 'secret' }]);
  assert.is(text('Service failed to start', 'it ends'), 'Service failed to start: it ends');
  assert.is(text('project "x" is not ready', 'project "x" is not ready: gone'), 'project "x" is not ready: gone');
  assert.is(text('denied', 'the cluster refuses: denied'), 'denied');
  assert.is(errorText(open('alone'), []), 'alone');
});

spec.run();
