import * as assert from 'uvu/assert';
import { at, listAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { type Started, install, started } from './started.ts';

const spec = suite<{ api: Started }>('discovery');
spec.before(async (context) => {
  context.api = await started();
  await install(context.api);
});
spec.after(({ api }) => api.end());

spec('groups and resources are listed one by one and all at once', async ({ api }) => {
  const groups = await api.send('GET', '/apis');
  const names = listAt(groups.body, 'groups').map((group) => textAt(group, 'name'));
  assert.ok(['batch', 'apps', 'core.platform'].every((name) => names.includes(name)));
  const { body } = await api.send('GET', '/apis/core.platform/v1alpha1');
  const builds = listAt(body, 'resources').find((one) => textAt(one, 'name') === 'corebuilds');
  assert.equal(
    [at(builds, 'kind'), at(builds, 'shortNames'), at(builds, 'categories')],
    ['CoreBuild', ['cb'], ['core']],
  );
  assert.ok(listAt(body, 'resources').some((one) => textAt(one, 'name') === 'corebuilds/status'));
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';
  const whole = await api.send('GET', '/apis', { accept });
  assert.match(whole.type, /as=APIGroupDiscoveryList/);
  const group = listAt(whole.body, 'items').find((item) => textAt(item, 'metadata', 'name') === 'core.platform');
  const resources = listAt(group, 'versions', 0, 'resources').map((one) => textAt(one, 'resource'));
  assert.ok(resources.includes('corebuilds'));
});

spec('the OpenAPI document describes the fields of a build and server-side field validation', async ({ api }) => {
  const index = await api.send('GET', '/openapi/v3');
  const path = textAt(index.body, 'paths', 'apis/core.platform/v1alpha1', 'serverRelativeURL');
  const { body } = await api.send('GET', path);
  const build = at(body, 'components', 'schemas', 'platform.core.v1alpha1.CoreBuild');
  assert.is(textAt(build, 'properties', 'spec', 'properties', 'app', 'type'), 'string');
  const patch = at(body, 'paths', '/apis/core.platform/v1alpha1/namespaces/{namespace}/corebuilds/{name}', 'patch');
  assert.ok(listAt(patch, 'parameters').some((one) => textAt(one, 'name') === 'fieldValidation'));
  assert.is((await api.send('GET', '/openapi/v3/apis/none/v1')).code, 404);
});

spec('the admin token allows everything', async ({ api }) => {
  const review = await api.send('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    body: { spec: { resourceAttributes: { verb: '*', group: '*', resource: '*' } } },
  });
  assert.equal([review.code, at(review.body, 'status', 'allowed')], [201, true]);
});

spec.run();
