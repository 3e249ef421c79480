import * as assert from 'uvu/assert';
import type { Attention, Cause } from '../../../http/api.ts';
import { afterCause, awaitsFirstPush, causesOf, shownBuild } from '../../../http/dashboard/model/cause.ts';
import { logPageOf, namedBy, pageOf } from '../../../http/dashboard/model/causePages.ts';
import { afterwardsText, attemptsOf } from '../../../http/dashboard/model/attempts.ts';
import { flipText, groupedMoves, rowOf, seqOf, type ShownMove } from '../../../http/dashboard/model/moves.ts';
import { holdsUpText, pageOfHeld, remedyOf } from '../../../http/dashboard/pages/home/attention.ts';
import { type NamedMove, recentRows } from '../../../http/dashboard/store/recentMoves.ts';
import { isFold } from '../../../rules/moves/foldFlips.ts';
import { suite } from '../../support/suite.ts';

const causes = suite('causes on pages');

const cause = (over: Partial<Cause> = {}): Cause => ({
  of: 'Ready',
  reason: 'CrashLoop',
  severity: 'failure',
  message: 'the program ends by itself: exit code 1, 17 restarts',
  hint: '',
  on: { kind: 'Deployment', name: 'web', namespace: 'shop-production' },
  root: null,
  since: '2026-11-23T01:00:00.000Z',
  count: 17,
  lastAt: '',
  exitCode: 1,
  logLine: 'FATAL: no database',
  gaveUp: false,
  resolved: false,
  ...over,
});
const root = (kind: string, name: string, reason = 'SecretMissing'): Cause['root'] => ({
  kind,
  name,
  namespace: 'core-system',
  reason,
});
const web = { kind: 'CoreApp', name: 'web', project: 'shop', environment: 'production' };

causes('the line of a cause leads to the log of the service or build that wrote it, and of nothing else', () => {
  assert.is(logPageOf(cause(), web), '/projects/shop/production/services/web?view=logs');
  assert.is(logPageOf(cause({ root: root('CoreApp', 'api') }), web), '/services/api?view=logs');
  assert.is(logPageOf(cause({ root: root('CoreBuild', 'web-1') }), web), '/machines/build/corebuilds:web-1?view=log');
  assert.is(logPageOf(cause({ root: root('CoreDatabase', 'orders') }), web), null);
});

causes('a cause links the objects it names that have a page, and none whose name is hidden', () => {
  const one = cause({ on: { kind: 'CoreProject', name: 'shop', namespace: '' }, root: root('CoreDatabase', 'orders') });
  assert.equal(
    namedBy(one, web).map((named) => pageOf(named, true)),
    ['/projects/shop', '/databases/orders'],
  );
  assert.equal(namedBy(cause({ on: { ...web, namespace: '' } }), web), []);
  assert.equal(namedBy(cause({ on: { kind: 'Secret', name: '…', namespace: '' } }), web), []);
  assert.is(pageOf({ kind: 'Secret', name: 'keys' }, true), null);
  assert.equal(
    [true, false].map((isAdmin) => pageOf({ kind: 'CoreNode', name: 'a' }, isAdmin)),
    ['/settings/nodes', null],
  );
});

causes('a build that waits for the first push says so and is not red', () => {
  const build = { state: 'FailedBeforeJob', shown: 'Failed', cause: cause({ reason: 'FirstPushAwaited' }) };
  assert.equal(shownBuild(build), { state: 'Waiting', shown: 'Waiting for the first push' });
  assert.equal(shownBuild({ ...build, cause: null }), { state: 'FailedBeforeJob', shown: 'Failed' });
  assert.ok(awaitsFirstPush(cause({ reason: 'BuildFailed', root: root('CoreBuild', 'web-1', 'FirstPushAwaited') })));
});

causes('the machine of backups shows the causes of backups, that of drafts none', () => {
  const all = [cause(), cause({ of: 'Backups' }), cause({ of: 'BackupStorage' })];
  const kinds = (machine: string) => causesOf(machine, all).map(({ of }) => of);
  assert.equal(kinds('databaseBackup'), ['Backups', 'BackupStorage']);
  assert.equal(kinds('draftDeploy'), []);
  assert.equal(kinds('database'), ['Ready', 'Backups', 'BackupStorage']);
  assert.is(afterCause(cause({ message: 'no node' }), 'No node'), '');
  assert.is(afterCause(null, 'Service is starting'), 'Service is starting');
});

const held = (name: string, state: Attention['object']['state']) => ({ ...web, name, state });
const item = (over: Partial<Attention> = {}): Attention => ({
  id: 'a1',
  word: 'Crashing',
  object: { ...held('web', 'pending'), displayName: 'web', url: '' },
  cause: cause(),
  holdsUp: [],
  holdsUpCount: 0,
  since: '2026-11-23T01:00:00.000Z',
  canRetry: false,
  ...over,
});
const admin = { mayAct: true, mayReadLogs: true };
const viewer = { mayAct: false, mayReadLogs: false };
const missing = item({
  word: 'Failed',
  object: {
    ...held('shop', 'failed'),
    kind: 'CoreProject',
    project: 'shop',
    environment: '',
    displayName: 'Shop',
    url: '',
  },
  cause: cause({ reason: 'SecretMissing', logLine: '' }),
  holdsUp: [held('orders', 'failed'), held('ledger', 'failed'), held('oven', 'pending')],
  holdsUpCount: 3,
  canRetry: true,
});
const label = (of: Attention, role = admin) => remedyOf(of, role)?.label ?? null;

causes('an item has one action: the variable while it is missing, then a retry of all that was given up', () => {
  assert.is(label(missing), 'Set the variable');
  const over = { ...missing, cause: { ...missing.cause, resolved: true } };
  assert.is(label(over), 'Retry all 3');
  assert.is(label({ ...over, holdsUpCount: 80 }), 'Retry all');
  assert.is(label(item({ canRetry: true, object: { ...item().object, state: 'failed' } })), 'Retry');
  assert.equal(remedyOf(item(), admin), {
    is: 'link',
    label: 'Logs',
    to: '/projects/shop/production/services/web?view=logs',
  });
  const orders = { ...item().object, kind: 'CoreDatabase', name: 'orders' };
  assert.is(label(item({ word: 'At risk', object: orders, cause: cause({ reason: 'BackupFailed' }) })), 'Backups');
});

causes('a viewer is offered no change and no log', () => {
  assert.equal(
    [missing, item(), item({ canRetry: true })].map((one) => label(one, viewer)),
    [null, null, null],
  );
});

causes('an item names five of those it holds up, and their number where their names are hidden', () => {
  assert.is(holdsUpText(missing), 'holds up 3: orders, ledger, oven');
  const many = { holdsUp: ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => held(name, 'pending')), holdsUpCount: 9 };
  assert.is(holdsUpText(item(many)), 'holds up 9: a, b, c, d, e, …');
  assert.is(holdsUpText(item({ holdsUpCount: 2 })), 'holds up 2');
  assert.is(pageOfHeld(held('orders', 'failed'), false), '/projects/shop/production/services/orders');
  assert.is(pageOfHeld(held('…', 'failed'), false), null);
});

causes('an attempt whose copies crashed afterwards says so, for roles without messages by its reason', () => {
  const attempt = (afterwards: object) => {
    const [one] = attemptsOf({ provision: { provisionAttempts: [{ id: 'a', phase: 'Succeeded', afterwards }] } });
    return one?.afterwards ?? null;
  };
  const after = { reason: 'CrashLoop', message: 'Succeeded, then crashed: exit code 1', at: '', count: 17 };
  const textOf = (over: object) => {
    const one = attempt({ ...after, ...over });
    return one && afterwardsText(one);
  };
  assert.is(textOf({}), 'Succeeded, then crashed: exit code 1, 17 times.');
  assert.is(textOf({ message: '', count: 1 }), 'Succeeded, then crashed.');
  assert.is(textOf({ message: '', count: 2, reason: 'ImagePullFailed' }), 'Succeeded, then failed, 2 times.');
  assert.is(attempt({}), null);
});

const flip = (seq: number, over: Partial<ShownMove> = {}): ShownMove => ({
  seq,
  machine: 'service',
  from: seq % 2 === 1 ? 'Ready' : 'Provisioning',
  to: seq % 2 === 1 ? 'Provisioning' : 'Ready',
  event: 'e',
  by: 'operator',
  at: `2026-11-23T01:0${seq}:00.000Z`,
  text: '',
  outside: false,
  ...over,
});

causes('moves to and fro are one row of the timeline, and the address of each of them leads to it', () => {
  const moves = [1, 2, 3, 4, 5, 6].map((seq) => flip(seq));
  const rows = groupedMoves([flip(7, { from: 'Provisioning', to: 'Asleep' }), ...moves]).flatMap(
    (group) => group.moves,
  );
  assert.equal(rows.map(seqOf), [7, 6]);
  const [, fold] = rows;
  assert.ok(fold && isFold(fold));
  assert.is(
    flipText(fold, (state) => state.toLowerCase()),
    'flipped 6 times between ready and provisioning',
  );
  assert.is(rowOf(rows, flip(3)), fold);
  assert.is(rowOf(rows, { seq: 3, machine: 'draftDeploy' }), undefined);
});

causes('moves to and fro of one object fill one row of Home, whatever others do between them', () => {
  const named = (name: string, move: ShownMove): NamedMove => ({ ...move, ...web, name, id: `coreapps:${name}` });
  const moves = [1, 2, 3, 4, 5].flatMap((seq) => [named('web', flip(seq)), named(`well-${seq}`, flip(seq))]);
  const rows = recentRows(moves);
  assert.equal(
    rows.flatMap((row) => (isFold(row) ? [[row.name, row.count]] : [])),
    [['web', 5]],
  );
  assert.is(rows.length, 6);
});

causes.run();
