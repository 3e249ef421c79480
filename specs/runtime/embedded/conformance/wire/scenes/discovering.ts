import { at, jsonAt, listAt, textAt, type Json } from '../../../../../../runtime/embedded/api/json.ts';
import { group } from '../kinds.ts';
import { get, type Scene } from '../scene.ts';

const ours = (body: Json, items: readonly unknown[]) => ({
  ...body,
  items: items.filter((item) => textAt(item, 'metadata', 'name') === group),
});
const byName = (body: Json) => ({
  ...body,
  resources: listAt(body, 'resources').toSorted((one, other) => (textAt(one, 'name') < textAt(other, 'name') ? -1 : 1)),
});
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const document = `/openapi/v3/apis/${group}/v1`;
const isPublished = (body: Json) => at(body, 'components', 'schemas', 'com.example.conformance.v1.Thing') !== undefined;
const schema =
  (...path: readonly string[]) =>
  (body: Json) =>
    at(body, 'components', 'schemas', ...path);

/** What a server says that it serves. */
export const discovering: readonly Scene[] = [
  {
    title: 'a group tells its kinds',
    steps: [
      get(`/apis/${group}`),
      get(`/apis/${group}/v1`, { look: byName }),
      get(`/apis/${group}/v1beta1`),
      get(`/apis/${group}/v2`),
      get('/apis/nothing.example.com'),
      get('/apis', { accept: aggregated, look: (body) => ours(body, listAt(body, 'items')) }),
    ],
  },
  {
    title: 'a schema is published',
    steps: [
      get(document, { until: isPublished, look: schema('com.example.conformance.v1.Thing') }),
      get(document, {
        look: (body) =>
          Object.keys(jsonAt(body, 'components', 'schemas')).filter((name) => name.startsWith('com.example')),
      }),
      get(document, { look: (body) => Object.keys(jsonAt(body, 'paths')) }),
      get(document, { look: schema('com.example.conformance.v1.ThingList') }),
      get(document, { look: schema('com.example.conformance.v1.Plain') }),
    ],
  },
];
