import * as assert from 'uvu/assert';
import { type Json, textAt } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { type Started, started } from './started.ts';

const spec = suite<{ api: Started }>('a definition with a narrowed schema');
spec.before(async (context) => {
  context.api = await started();
});
spec.after(({ api }) => api.end());

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const knots = '/apis/knots.example/v1/knots';

const definition = (text: Json): Json => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'knots.knots.example' },
  spec: {
    group: 'knots.example',
    scope: 'Cluster',
    names: { plural: 'knots', kind: 'Knot' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              text,
              other: { type: 'string' },
              texts: { type: 'array', items: text },
              map: { type: 'object', additionalProperties: text },
            },
          },
        },
      },
    ],
  },
});

spec(
  'a stored value invalid under a narrowed schema may stay, and other invalid values are refused',
  async ({ api }) => {
    const { send } = api;
    assert.is((await send('POST', definitions, { body: definition({ type: 'string' }) })).code, 201);
    const object = { metadata: { name: 'old' }, text: 'Loud', texts: ['Loud', 'low'], map: { a: 'Loud' } };
    const typed = { apiVersion: 'knots.example/v1', kind: 'Knot' };
    assert.is((await send('POST', knots, { body: { ...typed, ...object } })).code, 201);
    const patch = (body: Json, path: string) => send('PATCH', path, { body, type: 'application/merge-patch+json' });
    const narrower = { spec: definition({ type: 'string', pattern: '^[a-z]*$' })['spec'] };
    assert.is((await patch(narrower, `${definitions}/knots.knots.example`)).code, 200);
    const refused = await send('POST', knots, { body: { ...typed, ...object, metadata: { name: 'new' } } });
    assert.is(refused.code, 422);
    assert.match(textAt(refused.body, 'message'), 'text in body should match');
    for (const [change, code] of [
      [{ other: 'changed' }, 200],
      [{ map: { b: 'low' } }, 200],
      [{ text: 'LOUD' }, 422],
      [{ map: { b: 'Loud' } }, 422],
      [{ texts: ['Loud'] }, 422],
      [{ text: 'low', texts: ['low'] }, 200],
      [{ text: 'Loud' }, 422],
    ] as const)
      assert.is((await patch(change, `${knots}/old`)).code, code, JSON.stringify(change));
  },
);

spec.run();
