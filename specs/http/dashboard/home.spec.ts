import * as assert from 'uvu/assert';
import type { StatusItem, Summary } from '../../../http/api.ts';
import { type NamedMove, recentRows } from '../../../http/dashboard/store/recentMoves.ts';
import { awaitsPush, olderKinds, stepsOf } from '../../../http/dashboard/pages/home/text.ts';
import { installationFor, pushCommand } from '../../../http/dashboard/model/gitHost.ts';
import { environmentsShown, isNamesake, projectsMatching, together } from '../../../http/dashboard/pages/home/model.ts';
import { newestOf } from '../../../http/views/transitions.ts';
import { isFold } from '../../../rules/moves/foldFlips.ts';
import { suite } from '../../support/suite.ts';
import { summary } from './summary.ts';

const home = suite('home page');

const build = (over: Partial<NonNullable<StatusItem['build']>> = {}): StatusItem['build'] => ({
  name: 'web-build-1',
  phase: 'Failed',
  failureReason: 'Git host API returned 404 Not Found',
  sourceRevision: '',
  ciState: '',
  startedAt: null,
  completedAt: null,
  ...over,
});
const steps = (service: Summary, of: StatusItem['build'] = null) =>
  stepsOf(service, of).map(({ label, is }) => `${is}: ${label}`);

home('the checklist of an image service lists saved, deployed and running', () => {
  const image = (state: Summary['state']) => summary('web', { state, details: { source: 'image' } });
  assert.equal(steps(image('draft')), ['done: Saved', 'current: Waiting for a deploy', 'later: Running']);
  assert.equal(steps(image('pending')), ['done: Saved', 'done: Deployed', 'current: Starting']);
  assert.equal(steps(image('failed')), ['done: Saved', 'done: Deployed', 'failed: Starting']);
  assert.equal(steps(image('ready')), ['done: Saved', 'done: Deployed', 'done: Running']);
});

home('the checklist of a repository service waits for a push, then for a build', () => {
  const repository = (state: Summary['state']) =>
    summary('web', { state, details: { source: 'git', resolvedImage: '' } });
  const before = ['done: Saved', 'done: Deployed'];
  assert.equal(steps(repository('pending'), build()), [
    ...before,
    'current: Waiting for your first push',
    'later: Built',
    'later: Running',
  ]);
  assert.ok(awaitsPush(repository('pending'), build()));
  const pushed = build({ sourceRevision: 'c0ffee', phase: 'Running' });
  assert.equal(steps(repository('pending'), pushed).slice(2), [
    'done: Push received',
    'current: Building',
    'later: Running',
  ]);
  assert.not.ok(awaitsPush(repository('pending'), pushed));
  const broken = build({ sourceRevision: 'c0ffee' });
  assert.is(steps(repository('pending'), broken)[3], 'failed: Building');
  assert.ok(steps(repository('ready')).every((step) => step.startsWith('done')));
});

home('a repository uses the installation of its owner, otherwise the only one', () => {
  const of = (id: number, account: string) => ({ id, account });
  assert.is(installationFor('Acme/web', [of(1, 'local'), of(2, 'acme')])?.id, 2);
  assert.is(installationFor('demo/web', [of(1, 'local')])?.id, 1);
  assert.is(installationFor('demo/web', [of(1, 'local'), of(2, 'acme')]), undefined);
  assert.is(
    pushCommand('http://127.0.0.1:7080/', 'demo/hello', ''),
    'git push http://127.0.0.1:7080/demo/hello.git HEAD:main',
  );
});

home('pull request environments are shown as one entry with summed counts', () => {
  const counts = (name: string, failed = 0) => ({ name, total: 2, failed, moving: 1, waiting: 0 });
  const project = {
    name: 'proj-1',
    displayName: 'shop',
    environments: [counts('production'), counts('pr-7', 1), counts('pr-12-api')],
  };
  const { own, pullRequests } = environmentsShown(project);
  assert.equal(
    own.map(({ name }) => name),
    ['production'],
  );
  assert.equal(together('2', pullRequests), { name: '2', total: 4, failed: 1, moving: 2, waiting: 0 });
  const other = { ...project, name: 'proj-2', environments: [counts('staging')] };
  assert.ok(isNamesake(project, [project, other]));
  assert.not.ok(isNamesake(project, [project]));
  assert.equal(projectsMatching([project, other], 'SHOP stag'), [other]);
});

home('recent moves leave out the retry machine, and the server sends only the newest', () => {
  const move = (machine: string, seq: number): NamedMove => ({
    seq,
    machine,
    from: '',
    event: 'e',
    to: 'Ready',
    by: 'operator',
    at: `2026-11-23T01:00:0${seq}.000Z`,
    text: '',
    id: 'coreapps:web',
    kind: 'CoreApp',
    name: 'web',
    project: 'shop',
    environment: 'production',
  });
  const moves = [move('service', 1), move('provisionRetry', 2), move('draftDeploy', 3)];
  assert.equal(
    recentRows(moves).map((row) => (isFold(row) ? 'fold' : row.seq)),
    [3, 1],
  );
  const trace = (name: string, items: readonly NamedMove[]) => ({
    id: name,
    kind: 'CoreApp',
    name,
    uid: name,
    project: 'shop',
    environment: 'production',
    state: 'Ready',
    nextCheckAt: null,
    items,
  });
  const traces = [trace('a', [move('service', 1), move('service', 4)]), trace('b', [move('service', 2)])];
  const sent = (count: number) => newestOf(traces, count).map(({ name, items }) => [name, items.map(({ seq }) => seq)]);
  assert.equal(sent(1), [['a', [4]]]);
  assert.equal(sent(2), [
    ['a', [4]],
    ['b', [2]],
  ]);
  assert.equal(sent(9).length, 2);
});

home('a notice says what to apply where the kinds are older than the program, and nothing else', () => {
  const notice = (program: string, kinds: string | null) => olderKinds({ program, kinds });
  assert.is(notice('v1.2.0', 'v1.1.0'), 'The kinds are of v1.1.0, this is v1.2.0: apply crds-1.2.0.yaml');
  for (const kinds of ['v1.2.0', 'v1.3.0', null]) assert.is(notice('v1.2.0', kinds), null, String(kinds));
  assert.is(notice('dev', 'v1.1.0'), null);
});

home.run();
