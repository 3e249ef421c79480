import { readdirSync, readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import type { Instance, InstanceRead } from '../../../http/api.ts';
import { deployedActions } from '../../../http/dashboard/kindPages/actions.ts';
import { instancesOf, objectOf } from '../../../http/dashboard/kindPages/kinds.ts';
import { columnsOf } from '../../../http/dashboard/pages/machine/columns.ts';
import { reader } from '../../../http/dashboard/store/session.ts';
import { objectIdOf, objectPageOf } from '../../../http/dashboard/model/objectPages.ts';
import { tables } from '../../../machines/tables.ts';
import { suite } from '../../support/suite.ts';
import { instance } from './instance.ts';

const kinds = suite('kinds on pages');

const signIn = (canMutate: boolean) =>
  (reader.value = {
    is: 'signedIn',
    identity: {
      username: 'ada',
      role: 'admin',
      scope: 'workspace',
      canMutate,
      canReadSensitive: true,
      authentication: 'session',
    },
  });
kinds.before.each(() => void signIn(true));
kinds.after(() => void (reader.value = { is: 'unread' }));

kinds('a list has the columns of its kind, or a kind column when it has several or none', () => {
  const shown = (of: readonly string[], machine = '') =>
    columnsOf(machine, of).map(({ label, textOf }) => [label, textOf(instance({}))]);
  assert.equal(shown(['CoreBuild']), [['Commit', 'abcdef']]);
  assert.equal(shown(['CoreProject', 'CoreDatabase']), [['Kind', 'CoreBuild']]);
  assert.equal(shown(['CoreProject']), [['Kind', 'CoreBuild']]);
  assert.equal(
    shown(['CoreProject'], 'webhookDelivery').map(([word]) => word),
    ['Event', 'Service', 'Webhook'],
  );
  assert.equal([['CoreBuild'], ['CoreProject'], ['CoreProject', 'CoreDatabase']].map(instancesOf), [
    'builds',
    'instances',
    'instances',
  ]);
});

kinds('an instance id resolves to its kind and object name', () => {
  assert.is(objectOf('corebuilds:shop-build-1').page?.kind, 'CoreBuild');
  assert.is(objectOf('coredatabases:orders').name, 'orders');
  assert.equal(objectOf('coreprojects:shop'), { page: undefined, name: 'shop' });
});

kinds('an instance links to the page of its object, and a status entry to its settings page', () => {
  const place = { project: 'shop', environment: 'production' };
  const to = (of: Partial<Instance>, isAdmin = true) =>
    objectPageOf({ ...instance({}), id: 'coreprojects:shop', columns: {}, ...of }, isAdmin)?.to ?? null;
  assert.is(to({ kind: 'CoreApp', name: 'web', ...place }), '/projects/shop/production/services/web');
  assert.is(to({ kind: 'CoreLogicalDatabase', name: 'l', ...place }), '/projects/shop/production/logical/l');
  assert.is(to({ kind: 'CoreBackupArchive', name: 'orders-1' }), '/backups/orders-1');
  assert.is(to({ kind: 'CoreDeployment', columns: { app: 'web' } }), '/services/web');
  assert.is(to({ kind: 'CoreProject', machine: 'projectReady' }), '/projects/shop');
  const entry = { kind: 'CoreProject', id: 'coreprojects:shop:abc' };
  assert.is(to({ ...entry, machine: 'webhookDelivery' }), '/projects/shop/-/settings/webhooks');
  assert.is(to({ ...entry, machine: 'pullRequestEnvironment' }), '/projects/shop/-/settings/pull-requests');
  assert.is(to({ kind: 'CorePlatformConfig', machine: 'dashboardDomainReady' }), '/settings/domain');
  assert.is(to({ kind: 'CorePlatformConfig', machine: 'dnsProviderReady' }), '/settings/connectors');
  assert.is(to({ kind: 'CorePlatformConfig', machine: 'dashboardDomainReady' }, false), null);
  assert.is(objectIdOf('coreprojects:shop:abc'), 'coreprojects:shop');
});

kinds('an instance decided on request has no actions, passes or raw view', () => {
  for (const id of ['secrets:core-api-tokens:abcdefghij', 'leases:core-operator:0123456789abcdef']) {
    const { page, name } = objectOf(id);
    assert.equal([page?.hasPasses, page?.path(name), page?.views.length], [false, null, 0]);
    assert.equal(page?.actions(undefined as never), []);
    assert.equal(
      columnsOf('', [page?.kind ?? '']).map(({ label }) => label),
      ['Subject'],
    );
  }
});

const machine = (name: 'provisionRetry') => ({
  name,
  kinds: [],
  initial: '',
  states: [],
  events: [],
  rows: tables[name].rows,
  asked: [],
  counts: {},
  retrying: 0,
});
const database = (draft: string, retry: string, phase = 'Ready'): InstanceRead => ({
  ...instance({
    id: 'coredatabases:orders',
    kind: 'CoreDatabase',
    name: 'orders',
    machine: 'draftDeploy',
    state: draft,
  }),
  others: [
    { machine: 'provisionRetry', state: retry, shown: retry, since: '' },
    { machine: 'database', state: phase, shown: phase, since: '' },
  ],
});
const asked = (...states: Parameters<typeof database>) =>
  deployedActions(database(...states), [machine('provisionRetry')]).map(({ label, refused }) => [label, refused]);

kinds('the deploy action is named after the database state, and retry needs a failed provisioning', () => {
  const nothing = 'Provisioning has not failed, so there is nothing to retry';
  const retries = (word: string, why: string | undefined) => [
    [word, undefined],
    ['Retry', why],
  ];
  assert.equal(asked('Draft', 'Clean'), retries('Deploy', nothing));
  assert.equal(asked('PendingChanges', 'Counting'), retries('Deploy changes', nothing));
  assert.equal(asked('Deployed', 'ProvisionFailed'), retries('Redeploy', undefined));
  const leaving = '"orders" is being deleted';
  assert.equal(asked('Deployed', 'ProvisionFailed', 'Deleting'), [
    ['Redeploy', leaving],
    ['Retry', leaving],
  ]);
  signIn(false);
  assert.equal(
    asked('Deployed', 'ProvisionFailed').map(([, refused]) => refused),
    ['You have read-only access.', 'You have read-only access.'],
  );
});

/** Every source file that is the same for all kinds. */
const generic = ['dashboard/pages/instance/', 'dashboard/pages/machine/', 'dashboard/store/', 'dashboard/diagram/'];
const alone = [
  'dashboard/pages/machines/machinesPage.tsx',
  'dashboard/model/filter.ts',
  'routes/machines/kindMachine.ts',
  'routes/instance.ts',
  'routes/machines.ts',
  'views/instance.ts',
  'views/tombstone.ts',
  'views/explanation.ts',
  'views/passes.ts',
  'routes/machines/explanation.ts',
  'routes/machines/shapes.ts',
];

kinds('the code shared by all kinds names no kind', () => {
  const http = new URL('../../../http/', import.meta.url);
  const files = generic.flatMap((folder) => readdirSync(new URL(folder, http)).map((name) => folder + name));
  const knowing = [...files, ...alone].filter((name) =>
    /\b(branch\w*|commit|failureReason|app|builds?|Core(Build|Database|Project|App))\b/.test(
      readFileSync(new URL(name, http), 'utf8'),
    ),
  );
  assert.equal(knowing, []);
});

kinds.run();
