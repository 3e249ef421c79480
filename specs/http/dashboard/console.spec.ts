import * as assert from 'uvu/assert';
import type { ConsoleSessionItem, PodItem } from '../../../http/api.ts';
import {
  ackFrame,
  endWords,
  exitCodeIn,
  frameBytes,
  inputFrames,
  pasteBytes,
  resizeFrame,
} from '../../../http/dashboard/console/frames.ts';
import {
  endsAt,
  enterable,
  kubectlExec,
  sessionWord,
  unfitCommand,
} from '../../../http/dashboard/pages/service/console/model.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('consoles on the page of a service');

spec('terminal input is split into frames, and a paste over 1 MiB is truncated', () => {
  const { frames, isCut } = inputFrames('é'.repeat(frameBytes));
  assert.equal(
    frames.map(({ length }) => length),
    [frameBytes, frameBytes],
  );
  assert.not.ok(isCut);
  const long = inputFrames('x'.repeat(pasteBytes + 1));
  assert.ok(long.isCut);
  assert.is(
    long.frames.reduce((sum, { length }) => sum + length, 0),
    pasteBytes,
  );
  assert.equal(inputFrames('').frames, []);
});

spec('text frames match the terminal protocol', () => {
  assert.is(resizeFrame(80, 24), '{"resize":{"cols":80,"rows":24}}');
  assert.is(ackFrame(65_536), '{"ack":65536}');
  assert.is(exitCodeIn('{"exit":{"code":3}}'), 3);
  for (const text of ['', '{', '{}', '{"exit":{}}', '{"exit":{"code":"3"}}']) assert.is(exitCodeIn(text), null, text);
});

spec('the end of a terminal is described by its exit code, reason or connection', () => {
  assert.is(endWords(1000, 'Terminal closed', 3), 'The command ended with exit code 3.');
  assert.is(endWords(1008, 'Session time limit reached', null), 'Session time limit reached.');
  assert.is(endWords(1006, '', null), 'The connection broke off.');
  assert.is(endWords(1011, '', null), 'The terminal ended (1011).');
});

const pod = (name: string, phase: string, ...states: readonly string[]): PodItem => ({
  name,
  phase,
  ready: true,
  restarts: 0,
  node: 'one',
  startedAt: null,
  containers: states.map((state, index) => ({ name: `c${index}`, ready: true, state, reason: '' })),
});

spec('a console is offered only for running containers', () => {
  const pods = [
    pod('a', 'Running', 'running', 'waiting'),
    pod('b', 'Pending', 'waiting'),
    pod('c', 'Running', 'terminated'),
  ];
  assert.equal(enterable(pods), [{ pod: 'a', containers: ['c0'] }]);
});

spec('a command is accepted with one to eight words', () => {
  assert.is(unfitCommand('sh'), null);
  assert.is(unfitCommand('a b c d e f g h'), null);
  assert.is(unfitCommand('a b c d e f g h i'), 'A command has at most 8 words, and this one has 9.');
  assert.is(unfitCommand(' '), 'Enter a command, such as sh.');
});

spec('the equivalent kubectl command is quoted for a shell', () => {
  const of = { namespace: 'shop-production', pod: 'web-1', container: 'app', command: ['echo', "it's", 'a b'] };
  assert.is(kubectlExec(of), String.raw`kubectl exec -it -n shop-production web-1 -c app -- echo 'it'\''s' 'a b'`);
});

const session: ConsoleSessionItem = {
  session: 'console-a',
  actor: 'admin',
  pod: 'web-1',
  container: 'app',
  phase: 'Active',
  attached: true,
  createdAt: '2026-01-01T00:00:00.000Z',
  startedAt: '2026-01-01T00:00:01.000Z',
  endedAt: null,
  timeoutSeconds: 300,
  reason: '',
};

spec('a session counts down from its start and not after its end', () => {
  assert.is(endsAt(session), '2026-01-01T00:05:01.000Z');
  assert.is(endsAt({ ...session, startedAt: null }), null);
  assert.is(endsAt({ ...session, endedAt: '2026-01-01T00:00:09.000Z' }), null);
  assert.equal(
    [session, { ...session, attached: false }, { ...session, attached: false, phase: 'Closed' as const }].map(
      sessionWord,
    ),
    ['Connected', 'Waiting for a terminal', 'Closed'],
  );
});

spec.run();
