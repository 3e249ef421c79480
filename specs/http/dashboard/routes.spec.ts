import * as assert from 'uvu/assert';
import { addressOf, readRoute, redirectOf, projectSettingsPages } from '../../../http/dashboard/routes.ts';
import { pageNames } from '../../../http/dashboard/model/pageNames.ts';
import { suite } from '../../support/suite.ts';

const routes = suite('dashboard addresses');

const read = (address: string) => {
  const { pathname, search } = new URL(address, 'http://core');
  return readRoute(pathname, search);
};

routes('every object has an address that routes to its page', () => {
  assert.equal(read(addressOf.machines()), { is: 'machines' });
  assert.equal(read(addressOf.machine('build', '?state=Failed')), { is: 'machine', machine: 'build' });
  const build = { is: 'instance', machine: 'build', id: 'corebuilds:a-build-1', view: '' };
  assert.equal(read(addressOf.build('a-build-1')), build);
  assert.equal(read(addressOf.build('a-build-1', 'log')), { ...build, view: 'log' });
  assert.equal(read(`${addressOf.build('a-build-1')}#move-7`), build);
  assert.equal(read(addressOf.apiDocs()), { is: 'apiDocs' });
  assert.is(addressOf.instance('database', 'coredatabases:orders'), '/machines/database/coredatabases:orders');
  assert.equal(read(addressOf.instance('provisionRetry', 'coreprojects:strange / name')), {
    is: 'instance',
    machine: 'provisionRetry',
    id: 'coreprojects:strange / name',
    view: '',
  });
  assert.is(read('/machines/database/coredatabases:orders/more').is, 'unknown');
  assert.equal(read(addressOf.named('strange / name')), { is: 'named', name: 'strange / name', view: '' });
  assert.equal(read(addressOf.tokens()), { is: 'tokens' });
  assert.equal(read(addressOf.commandLine()), { is: 'commandLine' });
  assert.equal(read(addressOf.device()), { is: 'device', code: '' });
  assert.equal(read(addressOf.device('BCDF-GHJK')), { is: 'device', code: 'BCDF-GHJK' });
});

routes('a short address with a kubectl name redirects to the page of the object', () => {
  const leads = (address: string) => {
    const { pathname, search } = new URL(address, 'http://core');
    return redirectOf(pathname, search);
  };
  assert.is(leads('/builds/x?view=log'), '/machines/build/corebuilds:x?view=log');
  assert.is(leads('/apps/web?view=builds'), '/services/web?view=builds');
  assert.is(leads('/apps'), '/services');
  assert.is(leads('/settings'), '/settings/domain');
  for (const address of ['/', '/services', '/services/web', '/builds', '/builds/a/b', '/machines/build', '/none/x'])
    assert.is(leads(address), null, address);
  for (const address of ['/builds/x', '/apps/x', '/apps', '/settings'])
    assert.is(leads(leads(address) ?? ''), null, `${address} redirects once`);
});

routes('projects, environments, services and their creation have addresses', () => {
  const place = { project: 'shop', environment: 'production' };
  assert.equal(read('/'), { is: 'home' });
  assert.equal(read(addressOf.services()), { is: 'services' });
  assert.equal(read(addressOf.project({ project: 'shop' })), { is: 'project', project: 'shop', environment: '' });
  assert.equal(read(addressOf.project(place)), { is: 'project', ...place });
  const web = { ...place, name: 'web' };
  assert.is(addressOf.service(web, 'variables'), '/projects/shop/production/services/web?view=variables');
  assert.equal(read(addressOf.service(web, 'variables')), { is: 'service', ...web, view: 'variables' });
  assert.equal(read(addressOf.newService(place)), { is: 'newService', ...place, step: 1 });
  assert.equal(read(addressOf.newService(place, 3)), { is: 'newService', ...place, step: 3 });
  assert.equal(read('/projects/shop/-/settings'), { is: 'projectSettings', project: 'shop', page: 'general' });
  for (const page of projectSettingsPages)
    assert.equal(read(addressOf.projectSettings('shop', page)), { is: 'projectSettings', project: 'shop', page });
  assert.equal(read(addressOf.sharedVariables(place)), { is: 'sharedVariables', ...place });
  assert.equal(read(addressOf.users()), { is: 'users' });
  assert.equal(read(addressOf.sharedServers()), { is: 'sharedServers' });
  assert.equal(read(addressOf.addResource(place)), { is: 'addResource', ...place });
  const build = addressOf.buildOf(web, 'web-build-1', 'log');
  assert.is(build, '/projects/shop/production/services/web/builds/web-build-1?view=log');
  assert.equal(read(build), { is: 'build', ...place, service: 'web', name: 'web-build-1', view: 'log' });
  assert.is(read('/projects/shop/production/services/-/builds/x').is, 'unknown');
  assert.equal(read('/services/web?view=builds'), { is: 'named', name: 'web', view: 'builds' });
  for (const path of [
    '/projects',
    '/projects/shop/-/none',
    '/projects/shop/-/settings/none',
    '/projects/shop/production/services',
  ])
    assert.is(read(path).is, 'unknown', path);
  assert.is(read('/projects/shop/production/services/-').is, 'unknown');
});

routes('databases and logical databases have addresses in their environment and by name', () => {
  const orders = { project: 'shop', environment: 'production', name: 'orders' };
  assert.equal(read(addressOf.databases()), { is: 'databases' });
  assert.equal(read(addressOf.logicalDatabases()), { is: 'logicalDatabases' });
  assert.is(addressOf.database(orders, 'sql'), '/projects/shop/production/databases/orders?view=sql');
  assert.equal(read(addressOf.database(orders, 'sql')), { is: 'database', ...orders, view: 'sql' });
  assert.equal(read(addressOf.logicalDatabase(orders)), { is: 'logicalDatabase', ...orders, view: '' });
  const shared = { project: '', environment: '', name: 'common' };
  assert.is(addressOf.database(shared), '/databases/common');
  assert.equal(read('/databases/common?view=logical'), { is: 'namedDatabase', name: 'common', view: 'logical' });
  assert.equal(read('/logical-databases/x'), { is: 'namedLogicalDatabase', name: 'x', view: '' });
  assert.is(addressOf.resource({ kind: 'CoreDatabase', ...orders }), addressOf.database(orders));
  assert.is(addressOf.resource({ kind: 'CoreLogicalDatabase', ...orders }), addressOf.logicalDatabase(orders));
  const files = { ...orders, name: 'files' };
  assert.equal(read(addressOf.buckets()), { is: 'buckets' });
  assert.is(addressOf.bucket(files, 'settings'), '/projects/shop/production/buckets/files?view=settings');
  assert.equal(read(addressOf.bucket(files)), { is: 'bucket', ...files, view: '' });
  assert.is(addressOf.resource({ kind: 'CoreObjectStore', ...files }), addressOf.bucket(files));
  const server = addressOf.bucket({ project: '', environment: '', name: 'store' }, 'lifecycle');
  assert.equal(read(server), { is: 'namedBucket', name: 'store', view: 'lifecycle' });
  assert.is(addressOf.resource({ kind: 'CoreApp', ...orders }), addressOf.service(orders));
  for (const path of [
    '/projects/shop/production/databases',
    '/projects/shop/production/databases/-',
    '/projects/p/e/x/y',
  ])
    assert.is(read(path).is, 'unknown', path);
});

routes('the server serves the page for exactly the first segments of all page addresses', () => {
  const place = { project: 'shop', environment: 'production', name: 'x' };
  const shared = { ...place, project: '' };
  const makers = Object.entries(addressOf).filter(([name]) => name !== 'resource') as unknown as readonly (readonly [
    string,
    (of: unknown, view: string) => string,
  ])[];
  const addresses = makers.flatMap(([, to]) => [place, shared, 'x'].map((of) => to(of, 'x')));
  // Where a page sends whoever is not signed in, and what an earlier release called the pages.
  const begun = [...addresses, '/sign-in', '/apps/x', '/builds/x'].map((address) => address.split(/[/?]/)[1] ?? '');
  assert.equal([...new Set(begun)].filter((one) => one !== '').toSorted(), pageNames.toSorted());
  for (const name of pageNames) {
    const to = redirectOf(`/${name}`, '') ?? `/${name}`;
    const isPage = [to, `${to}/x`].some((path) => read(redirectOf(path, '') ?? path).is !== 'unknown');
    assert.ok(isPage, name);
  }
});

routes('an unknown address is routed to the unknown page', () => {
  assert.equal(read('/builds'), { is: 'unknown', path: '/builds' });
  assert.equal(read('/builds/a/b'), { is: 'unknown', path: '/builds/a/b' });
  assert.equal(read('/settings/none'), { is: 'unknown', path: '/settings/none' });
  assert.equal(readRoute('/services/%E0%A4%A', ''), { is: 'named', name: '%E0%A4%A', view: '' });
});

routes.run();
