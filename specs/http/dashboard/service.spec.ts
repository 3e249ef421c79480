import * as assert from 'uvu/assert';
import type { Deployment, Explanation, Read } from '../../../http/api.ts';
import { attemptsOf, countedErrors, failuresOf, outcomesOf } from '../../../http/dashboard/model/attempts.ts';
import { deployLogOf } from '../../../http/dashboard/pages/service/deployments/model.ts';
import { podState } from '../../../http/dashboard/pages/service/overview/pods.ts';
import { nextCheckOf } from '../../../http/dashboard/model/resource.ts';
import { changeName, changesWord, isSecret, summaryOf, valueWord } from '../../../http/dashboard/model/service.ts';
import { suite } from '../../support/suite.ts';

const service = suite('service page');

const at = (minute: number): string => `2026-11-23T01:${String(minute).padStart(2, '0')}:00.000Z`;

const read = (
  over: { readonly state?: Read['resource']['state']; readonly reason?: string; readonly status?: object } = {},
): Read => ({
  resource: {
    kind: 'CoreApp',
    name: 'web',
    displayName: 'web',
    project: 'shop',
    environment: 'production',
    state: over.state ?? 'pending',
    message: 'Service is starting',
    createdAt: at(0),
    url: '',
    cause: null,
    details: { reason: over.reason ?? '' },
  },
  spec: {},
  status: { ...over.status },
});

const explanation = (machine: string, nextCheckAt: string | null): Explanation => ({
  name: 'web',
  machine,
  state: 'Provisioning',
  shown: 'Provisioning',
  since: at(1),
  now: at(2),
  paused: false,
  text: 'it is provisioned',
  decision: { is: 'rests' },
  restsUntil: null,
  tried: [],
  facts: {},
  nextCheckAt,
  notes: [],
  next: [],
});

const deployment = (id: string, startedAt: string): Deployment => ({
  id,
  phase: 'Recorded',
  image: '',
  commit: '',
  trigger: '',
  actor: '',
  changeTitle: '',
  createdAt: startedAt,
  startedAt,
  completedAt: null,
  verdict: null,
});

const attempt = (id: string, phase: string, startedAt: string) => ({
  id,
  phase,
  startedAt,
  summary: phase,
  errors: [],
});

service('the summary of a service shows its sentence, start, next check and failures', () => {
  const status = { reconcileRetry: { reconcileFailures: 1 } };
  const standing = summaryOf(read({ status }), null, [
    explanation('draftDeploy', at(9)),
    explanation('service', at(5)),
    explanation('provisionRetry', null),
  ]);
  assert.equal(standing, {
    sentence: 'Service is starting',
    since: at(1),
    nextCheck: { at: at(5), everyMs: undefined },
    notes: ['counted failures 1 of 5'],
  });
  assert.is(nextCheckOf([explanation('service', null)]), null);
  assert.is(failuresOf({}), 0);
});

service('changes are counted by kind, and a secret shows only its name', () => {
  const setting = { path: 'spec.port', kind: 'settings', deployed: 80, saved: 8080 } as const;
  const plain = { path: 'spec.config.GREETING', kind: 'variables', deployed: null, saved: 'hi' } as const;
  const secret = { path: 'spec.secretVariables.KEY', kind: 'variables', deployed: null, saved: null } as const;
  assert.is(changesWord([setting, plain, secret]), '1 setting, 2 variables not deployed');
  assert.is(changesWord([plain]), '1 variable not deployed');
  assert.equal([setting, plain, secret].map(changeName), ['port', 'GREETING', 'KEY']);
  assert.equal([setting, plain, secret].map(isSecret), [false, false, true]);
  assert.equal([null, '', 80, 'hi', { a: 1 }].map(valueWord), ['none', 'none', '80', 'hi', '{"a":1}']);
});

service('equal errors of an attempt are one line with a count, newest first', () => {
  const [newest] = attemptsOf({
    provision: {
      provisionAttempts: [
        {
          ...attempt('attempt-2', 'Failed', at(4)),
          errors: [
            { recordedAt: at(4), message: 'no such image' },
            { recordedAt: at(5), message: 'no room' },
            { recordedAt: at(6), message: 'no such image' },
          ],
        },
        attempt('attempt-1', 'Succeeded', at(1)),
      ],
    },
  });
  assert.is(newest?.id, 'attempt-2');
  assert.equal(countedErrors(newest?.errors ?? []), [
    { message: 'no such image', count: 2, last: at(6) },
    { message: 'no room', count: 1, last: at(5) },
  ]);
  assert.equal(attemptsOf({}), []);
});

service('DEP-064 the outcome of a deploy follows from its attempts and verdict, not from its record', () => {
  const deployments = [deployment('web-3', at(30)), deployment('web-2', at(20)), deployment('web-1', at(10))];
  const attempts = attemptsOf({
    provision: {
      provisionAttempts: [
        attempt('b', 'Failed', at(21)),
        attempt('c', 'Succeeded', at(25)),
        attempt('a', 'Failed', at(11)),
      ],
    },
  });
  const judged = (verdict: Deployment['verdict']) =>
    deployments.map((one, index) => ({ ...one, verdict: index === 0 ? verdict : null }));
  const words = (verdict: Deployment['verdict']) => outcomesOf(judged(verdict), attempts).map(({ label }) => label);
  assert.equal(words('succeeded'), ['Succeeded', 'Succeeded', 'Failed']);
  assert.equal(words('failed'), ['Failed', 'Succeeded', 'Failed']);
  assert.equal(words('running'), ['Running', 'Succeeded', 'Failed']);
  assert.equal(
    outcomesOf(judged('succeeded'), []).map(({ label }) => label),
    ['Succeeded', 'Not recorded', 'Not recorded'],
  );
});

service('UI-030 the log of a deploy lists its record and the events of its attempt, oldest first', () => {
  const [failed] = attemptsOf({
    provision: {
      provisionAttempts: [
        {
          ...attempt('a', 'Failed', at(11)),
          summary: 'Service failed to start',
          completedAt: at(19),
          errors: [
            { recordedAt: at(15), message: 'no room' },
            { recordedAt: at(13), message: 'no such image' },
          ],
        },
      ],
    },
  });
  const deployed = { ...deployment('web-1', at(10)), changeTitle: '2 variables', actor: 'admin' };
  const lines = (of = failed) => deployLogOf(deployed, of ?? null).map(({ at: time, text }) => `${time} ${text}`);
  assert.equal(lines(), [
    `${at(10)} 2 variables, by admin`,
    `${at(11)} Provisioning began`,
    `${at(13)} no such image`,
    `${at(15)} no room`,
    `${at(19)} Service failed to start`,
  ]);
  assert.is(deployLogOf(deployed, null).length, 1, 'a deploy without a kept attempt shows its record');
});

service('a copy is shown as ready, starting, failing or stopping', () => {
  const pod = (phase: string, ready: boolean, reason = '') => ({
    name: 'web-1',
    phase,
    ready,
    restarts: 0,
    node: '',
    containers: [{ name: 'app', ready, state: 'waiting', reason }],
    startedAt: null,
  });
  assert.is(podState(pod('Running', true)).label, 'Ready');
  assert.is(podState(pod('Pending', false, 'ContainerCreating')).label, 'Starting');
  assert.equal(podState(pod('Pending', false, 'ImagePullBackOff')), {
    state: 'Failed',
    label: 'Failing',
    why: 'ImagePullBackOff',
  });
  assert.is(podState(pod('Terminating', true)).label, 'Stopping');
});

service.run();
