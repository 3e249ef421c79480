import { Validator } from '@seriousme/openapi-schema-validator';
import * as assert from 'uvu/assert';
import { type Json, at, isJson, jsonAt, listAt, textAt, without } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { type Started, install, started } from './started.ts';

const spec = suite<{ api: Started }>('openapi');
spec.before(async (context) => {
  context.api = await started();
  await install(context.api);
});
spec.after(({ api }) => api.end());

async function documents({ send }: Started): Promise<ReadonlyMap<string, Json>> {
  const { body } = await send('GET', '/openapi/v3');
  const paths = Object.entries(jsonAt(body, 'paths'));
  const all = await Promise.all(
    paths.map(async ([path, one]) => [path, (await send('GET', textAt(one, 'serverRelativeURL'))).body] as const),
  );
  return new Map(all);
}

const schemasOf = (document: unknown) => jsonAt(document, 'components', 'schemas');

/** The schema of a kind by what it says of itself. */
const ofKind = (document: unknown, kind: string) =>
  Object.values(schemasOf(document)).find((schema) =>
    listAt(schema, 'x-kubernetes-group-version-kind').some((one) => textAt(one, 'kind') === kind),
  );

/** The validator takes a property that is called `$ref`, as that of a JSON schema is, for a reference. */
const withoutNamedReference = (document: Json) =>
  JSON.parse(JSON.stringify(document), (key, value: unknown) =>
    key === 'properties' && isJson(value) && isJson(value['$ref']) ? without(value, '$ref') : value,
  ) as Json;

spec('every document is valid OpenAPI 3.0 without dangling references', async ({ api }) => {
  for (const [path, document] of await documents(api)) {
    const { valid, errors } = await new Validator().validate(withoutNamedReference(document));
    assert.ok(valid, `${path}: ${JSON.stringify(errors)?.slice(0, 500)}`);
    const names = new Set(Object.keys(schemasOf(document)));
    const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g);
    for (const [, name = ''] of references) assert.ok(names.has(name), `${path} has no ${name}`);
  }
});

spec('every listed kind is described with its fields', async ({ api }) => {
  const all = await documents(api);
  for (const [path, document] of all) {
    const { body } = await api.send('GET', `/${path}`);
    for (const resource of listAt(body, 'resources').filter((one) => !textAt(one, 'name').includes('/'))) {
      const kind = textAt(resource, 'kind');
      const schema = ofKind(document, kind);
      assert.ok(schema !== undefined, `${path} does not describe ${kind}`);
      assert.ok(textAt(schema, 'description').length > 10, `${kind} of ${path} says nothing`);
      assert.ok(isJson(at(schema, 'properties', 'metadata')), `${kind} has no metadata`);
    }
  }
});

spec('fields have the extensions that clients use to merge, apply and explain', async ({ api }) => {
  const document = (await documents(api)).get('apis/apps/v1');
  const schemas = schemasOf(document);
  const containers = jsonAt(schemas, 'io.k8s.api.core.v1.PodSpec', 'properties', 'containers');
  assert.equal(
    ['x-kubernetes-patch-strategy', 'x-kubernetes-patch-merge-key', 'x-kubernetes-list-type'].map(
      (name) => containers[name],
    ),
    ['merge', 'name', 'map'],
  );
  const policy = jsonAt(schemas, 'io.k8s.api.core.v1.PodSpec', 'properties', 'restartPolicy');
  assert.equal(policy['enum'], ['Always', 'Never', 'OnFailure']);
  assert.match(textAt(policy, 'description'), /Restart policy for all containers within the pod/);
  assert.equal(at(schemas, 'io.k8s.api.apps.v1.DeploymentSpec', 'required'), ['selector', 'template']);
  assert.equal(at(schemas, 'io.k8s.api.core.v1.ContainerPort', 'properties', 'containerPort', 'format'), 'int32');
  const limits = at(schemas, 'io.k8s.api.core.v1.ResourceRequirements', 'properties', 'limits');
  assert.match(textAt(limits, 'additionalProperties', '$ref'), /resource\.Quantity$/);
  const patch = at(document, 'paths', '/apis/apps/v1/namespaces/{namespace}/deployments/{name}', 'patch');
  assert.ok(isJson(at(patch, 'requestBody', 'content', 'application/strategic-merge-patch+json')));
  const parameters = listAt(patch, 'parameters').map((one) => textAt(one, 'name'));
  assert.equal(parameters, ['dryRun', 'fieldManager', 'fieldValidation', 'force']);
});

spec('the hash of a document changes exactly when the document changes', async ({ api }) => {
  const hashes = async () => {
    const { body } = await api.send('GET', '/openapi/v3');
    return (path: string) => textAt(body, 'paths', path, 'serverRelativeURL');
  };
  const before = await hashes();
  const name = 'corebuilds.core.platform';
  await api.send('PATCH', `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`, {
    body: [{ op: 'add', path: '/spec/names/shortNames/-', value: 'built' }],
    type: 'application/json-patch+json',
  });
  const after = await hashes();
  assert.is.not(after('apis/core.platform/v1alpha1'), before('apis/core.platform/v1alpha1'));
  assert.is(after('apis/apps/v1'), before('apis/apps/v1'));
});

spec('OpenAPI 2 is served as JSON and as protobuf', async ({ api }) => {
  const { body } = await api.send('GET', '/openapi/v2');
  assert.is(body['swagger'], '2.0');
  const definitions = jsonAt(body, 'definitions');
  for (const [, name = ''] of JSON.stringify(body).matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g))
    assert.ok(name in definitions, name);
  const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
  const encoded = await api.send('GET', '/openapi/v2', { accept });
  assert.is(encoded.type, 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
  assert.match(textAt(encoded.body, 'text'), /io\.k8s\.api\.apps\.v1\.Deployment/);
});

spec.run();
