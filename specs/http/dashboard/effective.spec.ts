import * as assert from 'uvu/assert';
import type { Change, Explanation, Read } from '../../../http/api.ts';
import { serverEntries } from '../../../http/dashboard/pages/addResource/model.ts';
import { managedBody } from '../../../http/dashboard/pages/platform/model.ts';
import { effectiveRegion } from '../../../http/dashboard/model/project.ts';
import { resourceSummary } from '../../../http/dashboard/model/resource.ts';
import { nextImage, runsOf } from '../../../http/dashboard/model/runs.ts';
import { atOnceFields, onDeployFields } from '../../../http/dashboard/model/settingFields.ts';
import { changedBody, valuesOf } from '../../../http/dashboard/model/settings.ts';
import { settingsCards } from '../../../http/dashboard/pages/service/settings/model.ts';
import { sleepOf } from '../../../http/dashboard/pages/service/overview/text.ts';
import { suite } from '../../support/suite.ts';
import { summary } from './summary.ts';

const effective = suite('effective settings on pages');

const read = (spec: Read['spec'], over: Partial<Read['resource']> = {}): Read => ({
  resource: summary('web', over),
  spec,
  status: {},
});
const values = (spec: Read['spec']) => valuesOf([...atOnceFields, ...onDeployFields], read(spec));

effective('an absent setting is shown with its effective value, and a disabled one as off', () => {
  const absent = values({});
  assert.equal(
    ['tls', 'replicas', 'port', 'min', 'max', 'cpuPercent', 'idleSeconds', 'buildfile'].map((name) => absent[name]),
    ['on', '1', '8080', '1', '10', '80', '300', 'Buildfile'],
  );
  assert.is(values({ networking: { tls: false } })['tls'], '');
  assert.is(values({ networking: { tls: true } })['tls'], 'on');
  assert.is(values({ autoscaling: { min: 12 } })['max'], '12');
  assert.equal(changedBody(atOnceFields, absent, { ...absent, tls: '' }), { tls: false });
  assert.equal(changedBody(atOnceFields, absent, absent), {}, 'nothing of it is saved by itself');
});

effective('a host of this machine offers no HTTPS setting', () => {
  const names = (spec: Read['spec'], url = '') =>
    settingsCards(read(spec, { url })).flatMap(({ fields }) => fields.map(({ name }) => name));
  assert.ok(names({}).includes('tls'));
  assert.not(names({ networking: { host: 'web.apps.localhost', tls: true } }).includes('tls'));
  assert.not(names({}, 'http://web.apps.localhost:7080').includes('tls'), 'the one that it has by default neither');
  const [{ fields } = { fields: [] }] = settingsCards(read({}, { url: 'http://web.apps.localhost' }));
  const host = fields.find(({ name }) => name === 'host');
  assert.is(host?.help, 'web.apps.localhost is a host of this machine and is served over HTTP.');
});

const imageChange = (deployed: unknown, saved: unknown): Change => ({
  path: 'spec.source.image',
  kind: 'settings',
  deployed,
  saved,
});
const image = (over: Partial<Read['resource']>, saved: string, ...changes: readonly Change[]) =>
  nextImage(runsOf(summary('web', over), changes, { path: 'spec.source.image', saved }));

effective('the running image is shown first, followed by the image of the next deploy', () => {
  assert.equal(image({}, 'nginx:2'), { now: 'nginx:2', next: null });
  assert.equal(image({}, 'nginx:3', imageChange('nginx:2', 'nginx:3')), { now: 'nginx:2', next: ':3' });
  assert.equal(image({ state: 'draft' }, 'nginx:3'), { now: '', next: 'nginx:3' }, 'nothing of a draft runs');
  assert.equal(image({ state: 'draft', details: { appliesAtOnce: true } }, 'nginx:3'), {
    now: 'nginx:3',
    next: null,
  });
  const pairs = [
    ['r.example:5000/web', 'r.example:5000/web:3', ':3'],
    ['r.example:5000/web:2', 'r.example:5000/web@sha256:abc', '@sha256:abc'],
    ['nginx:2', 'httpd:2', 'httpd:2'],
    ['nginx:2', 'nginx', 'nginx'],
  ] as const;
  for (const [now, next, shown] of pairs) assert.is(image({}, next, imageChange(now, next)).next, shown);
  const port = { path: 'spec.port', kind: 'settings', deployed: null, saved: 3000 } as const;
  assert.equal(runsOf(summary('web'), [port], { path: 'spec.port', saved: '3000', absent: '8080' }), {
    now: '8080',
    next: '3000',
  });
});

effective('the time beside a state is that of the machine in that state', () => {
  const at = '2026-11-23T01:01:00.000Z';
  const since = (state: Read['resource']['state'], of: string) => {
    const explanation = { machine: 'service', state: of, since: at, text: '' } as Explanation;
    return resourceSummary(read({}, { state }), 'service', [explanation]).since;
  };
  const same = { ready: 'Ready', pending: 'Provisioning', failed: 'ProvisionFailed', draft: 'Draft' } as const;
  for (const [state, of] of Object.entries(same)) assert.is(since(state as keyof typeof same, of), at, state);
  assert.equal([since('ready', 'Asleep'), since('deleting', 'FinalBackup')], [at, at]);
  assert.is(since('pending', 'Ready'), '', 'an unprocessed deploy has not been pending since the service was ready');
  assert.is(since('draft', 'Ready'), '');
});

effective('LDB-087 shared servers are offered by the effective region of the project', () => {
  const server = (region: string) =>
    summary(`pg-${region}`, {
      kind: 'CoreDatabase',
      project: '',
      environment: '',
      details: { engine: 'Postgres', region },
    });
  const local = { resource: summary('local', { details: { defaultRegion: 'eu' } }) };
  const project = (region: string) => summary('shop', { details: { region, cluster: 'local' } });
  assert.equal(
    [
      effectiveRegion(project(''), [local]),
      effectiveRegion(project('us'), [local]),
      effectiveRegion(project('us'), [local], ''),
      effectiveRegion(project(''), []),
    ],
    ['eu', 'us', 'eu', ''],
  );
  const place = { project: 'shop', environment: 'production' };
  const offered = (region: string) => serverEntries([server('eu'), server('us')], place, region).map(({ key }) => key);
  assert.equal(offered(effectiveRegion(project(''), [local])), ['logical-pg-eu']);
  assert.equal(offered(''), ['logical-pg-eu', 'logical-pg-us'], 'a project anywhere may use any server');
});

effective('KND-013 a node managed from the list keeps its region and tags', () => {
  const node = { name: 'rack-2', ready: true, address: '192.0.2.7', region: 'eu', tags: ['gpu', 'ssd'] };
  assert.equal(managedBody(node), { name: 'rack-2', address: '192.0.2.7', region: 'eu', tags: ['gpu', 'ssd'] });
  assert.equal(managedBody({ ...node, region: '', tags: [] }), { name: 'rack-2', address: '192.0.2.7' });
});

effective('an add-on that is enabled but not installed links to the cluster settings', () => {
  const told = sleepOf({
    sleeping: false,
    scaleToZero: {
      idleSeconds: 60,
      maxReplicas: null,
      active: false,
      message: 'the serverless add-on is switched on, not there yet',
    },
  });
  assert.equal(told, {
    label: 'Cannot sleep',
    text: 'The serverless add-on is switched on, not there yet.',
    isOfCluster: true,
  });
});

effective.run();
