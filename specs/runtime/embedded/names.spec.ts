import * as assert from 'uvu/assert';
import { type Json, at, jsonAt, listAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { type Started, eventually, started } from './started.ts';

const spec = suite<{ api: Started }>('names');
spec.before(async (context) => {
  context.api = await started();
});
spec.after(({ api }) => api.end());

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const definition = (group: string, names: Json, more: Json = {}): Json => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${textAt(names, 'plural')}.${group}`, ...more },
  spec: {
    group,
    scope: 'Cluster',
    names,
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
});

const create = async (api: Started, group: string, names: Json) => {
  const { code, body } = await api.send('POST', definitions, { body: definition(group, names) });
  assert.is(code, 201);
  return body;
};
const now = async (api: Started, name: string) => (await api.send('GET', `${definitions}/${name}`)).body;
const conditions = (body: Json) =>
  listAt(body, 'status', 'conditions').map((one) =>
    ['type', 'status', 'reason', 'message'].map((field) => textAt(one, field)).join(' '),
  );
const accepted = 'NamesAccepted True NoConflicts no conflicts found';
const established = 'Established True InitialNamesAccepted the initial names have been accepted';
const notAccepted = 'Established False NotAccepted not all names are accepted';
const isServed = async (api: Started, group: string, plural: string) =>
  (await api.send('GET', `/apis/${group}/v1/${plural}`)).code === 200;

spec('the later of two definitions of a kind is not served until the first is deleted', async ({ api }) => {
  const group = 'kind.example';
  await create(api, group, { plural: 'ones', kind: 'One' });
  const made = await create(api, group, { plural: 'twos', kind: 'One', shortNames: ['tw'] });
  assert.equal(conditions(made), ['NamesAccepted False ListKindConflict "OneList" is already in use', notAccepted]);
  assert.equal(at(made, 'status', 'acceptedNames'), { plural: 'twos', kind: '', shortNames: ['tw'] });
  assert.equal([await isServed(api, group, 'ones'), await isServed(api, group, 'twos')], [true, false]);
  await api.send('DELETE', `${definitions}/ones.${group}`);
  await eventually(() => isServed(api, group, 'twos'), 'the names are free');
  const free = await now(api, `twos.${group}`);
  assert.equal(conditions(free), [accepted, established]);
  assert.equal(at(free, 'status', 'acceptedNames'), at(free, 'spec', 'names'));
});

spec('each conflicting name has its reason, and the last one is reported', async ({ api }) => {
  const group = 'reasons.example';
  await create(api, group, { plural: 'ones', kind: 'One', shortNames: ['o', 'oo'] });
  const told = async (names: Json) => {
    const body = definition(group, names);
    const { body: made } = await api.send('POST', `${definitions}?dryRun=All`, { body });
    return conditions(made)[0];
  };
  assert.equal(
    [
      await told({ plural: 'oo', kind: 'Two' }),
      await told({ plural: 'twos', kind: 'Two', singular: 'ones' }),
      await told({ plural: 'twos', kind: 'Two', shortNames: ['t', 'one'] }),
      await told({ plural: 'twos', kind: 'Two', shortNames: ['o', 't', 'oo'] }),
      await told({ plural: 'twos', kind: 'One', singular: 'two', listKind: 'TwoList' }),
      await told({ plural: 'twos', kind: 'Two', listKind: 'One' }),
      await told({ plural: 'twos', kind: 'Two', categories: ['one'] }),
    ],
    [
      'NamesAccepted False PluralConflict "oo" is already in use',
      'NamesAccepted False SingularConflict "ones" is already in use',
      'NamesAccepted False ShortNamesConflict "one" is already in use',
      'NamesAccepted False ShortNamesConflict ["o" is already in use, "oo" is already in use]',
      'NamesAccepted False KindConflict "One" is already in use',
      'NamesAccepted False ListKindConflict "One" is already in use',
      accepted,
    ],
  );
});

spec('a served definition keeps its accepted names when new names conflict', async ({ api }) => {
  const group = 'changes.example';
  await create(api, group, { plural: 'ones', kind: 'One', shortNames: ['o'] });
  const made = await create(api, group, { plural: 'twos', kind: 'Two', shortNames: ['t'] });
  const wanted = { ...jsonAt(made, 'spec', 'names'), shortNames: ['o'] };
  const { body: changed } = await api.send('PUT', `${definitions}/twos.${group}`, {
    body: { ...made, spec: { ...jsonAt(made, 'spec'), names: wanted } },
  });
  assert.equal(conditions(changed), ['NamesAccepted False ShortNamesConflict "o" is already in use', established]);
  const shortNames = async () => {
    const resources = listAt((await api.send('GET', `/apis/${group}/v1`)).body, 'resources');
    return resources.map((one) => listAt(one, 'shortNames').join());
  };
  assert.equal(await shortNames(), ['o', 't']);
  const first = await now(api, `ones.${group}`);
  const given = { ...jsonAt(first, 'spec', 'names'), shortNames: [] };
  await api.send('PUT', `${definitions}/ones.${group}`, {
    body: { ...first, spec: { ...jsonAt(first, 'spec'), names: given } },
  });
  await eventually(async () => (await shortNames()).join() === ',o', 'the name was given back');
});

spec('the names of a definition may change while it is not served', async ({ api }) => {
  const group = 'otherwise.example';
  await create(api, group, { plural: 'ones', kind: 'One' });
  const made = await create(api, group, { plural: 'twos', kind: 'One' });
  const names = { plural: 'twos', kind: 'Two' };
  const { code, body } = await api.send('PUT', `${definitions}/twos.${group}`, {
    body: { ...made, spec: { ...jsonAt(made, 'spec'), names } },
  });
  assert.equal([code, ...conditions(body)], [200, accepted, established]);
  const again = { ...body, spec: { ...jsonAt(body, 'spec'), names: { plural: 'twos', kind: 'Three' } } };
  assert.is((await api.send('PUT', `${definitions}/twos.${group}`, { body: again })).code, 422);
});

spec('one of many concurrent claims of a name succeeds at a time', async ({ api }) => {
  const group = 'crowd.example';
  const plurals = ['as', 'bs', 'cs', 'ds', 'es'];
  await Promise.all(plurals.map((plural) => create(api, group, { plural, kind: 'Same' })));
  const servedNow = async () => {
    const all = await Promise.all(plurals.map((plural) => isServed(api, group, plural)));
    return plurals.filter((_, index) => all[index]);
  };
  for (const _ of plurals) {
    await eventually(async () => (await servedNow()).length === 1, 'one is served');
    const [one = ''] = await servedNow();
    await api.send('DELETE', `${definitions}/${one}.${group}`);
    await eventually(async () => !(await isServed(api, group, one)), 'it is gone');
  }
  assert.equal(await servedNow(), []);
});

spec('a definition cannot add kinds to a built-in version', async ({ api }) => {
  const approved = { annotations: { 'api-approved.kubernetes.io': 'unapproved, a test' } };
  const group = 'networking.k8s.io';
  const body = definition(
    group,
    { plural: 'networkpolicies', kind: 'Other' },
    { name: `networkpolicies.${group}`, ...approved },
  );
  assert.is((await api.send('POST', definitions, { body })).code, 201);
  const { body: found } = await api.send('GET', `/apis/${group}/v1/networkpolicies`);
  assert.is(textAt(found, 'kind'), 'NetworkPolicyList');
  await api.send('DELETE', `${definitions}/networkpolicies.${group}`);
});

spec('a definition in a Kubernetes group needs the approval annotation', async ({ api }) => {
  const told = async (annotations?: Json) => {
    const body = definition('x.k8s.io', { plural: 'ones', kind: 'One' }, { name: 'ones.x.k8s.io', annotations });
    return textAt((await api.send('POST', `${definitions}?dryRun=All`, { body })).body, 'message')
      .split(': ')
      .slice(1);
  };
  const see = 'see https://github.com/kubernetes/enhancements/pull/1111';
  const field = 'metadata.annotations[api-approved.kubernetes.io]';
  assert.equal(await told(), [
    field,
    'Required value',
    `protected groups must have approval annotation "api-approved.kubernetes.io", ${see}`,
  ]);
  assert.equal(await told({ 'api-approved.kubernetes.io': 'bad' }), [
    field,
    'Invalid value',
    '"bad"',
    `protected groups must have approval annotation "api-approved.kubernetes.io" with either a URL or a reason starting with "unapproved", ${see}`,
  ]);
  assert.equal(await told({ 'api-approved.kubernetes.io': 'https://github.com/x' }), []);
});

spec.run();
