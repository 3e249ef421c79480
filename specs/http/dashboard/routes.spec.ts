import * as assert from 'uvu/assert';
import { addressOf, readRoute } from '../../../http/dashboard/routes.ts';
import { suite } from '../../support/suite.ts';

const routes = suite('the addresses of the dashboard');

const read = (address: string) => {
  const { pathname, search } = new URL(address, 'http://core');
  return readRoute(pathname, search);
};

routes('every object has an address that leads to it', () => {
  assert.equal(read(addressOf.machines()), { is: 'machines' });
  assert.equal(read(addressOf.machine('build', '?state=Failed')), { is: 'machine', machine: 'build' });
  const build = { is: 'instance', machine: 'build', id: 'corebuilds:a-build-1', view: '' };
  assert.equal(read(addressOf.build('a-build-1')), build);
  assert.equal(read(addressOf.build('a-build-1', 'log')), { ...build, view: 'log' });
  assert.equal(read(`${addressOf.build('a-build-1')}#move-7`), build);
  assert.equal(read(addressOf.apps()), { is: 'apps' });
  assert.equal(read(addressOf.apiDocs()), { is: 'apiDocs' });
  assert.is(addressOf.instance('database', 'coredatabases:orders'), '/machines/database/coredatabases:orders');
  assert.equal(read(addressOf.instance('provisionRetry', 'coreprojects:strange / name')), {
    is: 'instance',
    machine: 'provisionRetry',
    id: 'coreprojects:strange / name',
    view: '',
  });
  assert.is(read('/machines/database/coredatabases:orders/more').is, 'unknown');
  assert.equal(read(addressOf.app('strange / name')), { is: 'app', name: 'strange / name' });
  assert.equal(read(addressOf.tokens()), { is: 'tokens' });
  assert.equal(read('/settings'), { is: 'tokens' });
  assert.equal(read(addressOf.device()), { is: 'device', code: '' });
  assert.equal(read(addressOf.device('BCDF-GHJK')), { is: 'device', code: 'BCDF-GHJK' });
});

routes('a name that kubectl shows leads to the page of its object', () => {
  assert.equal(read('/builds/x?view=log'), { is: 'instance', machine: 'build', id: 'corebuilds:x', view: 'log' });
  assert.equal(read('/databases/x'), { is: 'instance', machine: 'database', id: 'coredatabases:x', view: '' });
});

routes('an unknown address says so', () => {
  assert.equal(read('/builds'), { is: 'unknown', path: '/builds' });
  assert.equal(read('/builds/a/b'), { is: 'unknown', path: '/builds/a/b' });
  assert.equal(read('/settings/users'), { is: 'unknown', path: '/settings/users' });
  assert.equal(readRoute('/apps/%E0%A4%A', ''), { is: 'app', name: '%E0%A4%A' });
});

routes.run();
