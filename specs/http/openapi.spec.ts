import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import { Validator } from '@seriousme/openapi-schema-validator';
import * as assert from 'uvu/assert';
import { check, valuesOf } from '../../http/openapi/check.ts';
import { schemasOf } from '../../http/route.ts';
import { allRoutes } from '../../http/routes/list.ts';
import { type RouteId, routes } from '../../rules/access/routes.ts';
import { suite } from '../support/suite.ts';
import { serve, type Served } from './served.ts';

let served: Served;
const openapi = suite('openapi');
openapi.before(async () => {
  served = await serve();
  await served.addApp('shop');
});
openapi.after(() => served.stop());

interface Operation {
  readonly deprecated?: boolean;
  readonly security: readonly object[];
  readonly 'x-callers': Readonly<Record<string, string>>;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
}
interface Described {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: object };
}
const described = async () => (await served.ask('/api/v1/openapi.json')).json() as Described;

openapi('API-040 the versions of the API and of the release are returned', async () => {
  const { text } = await served.ask('/api/v1/version');
  assert.is(text, '{"api":"v1","version":"dev"}');
  assert.is((await served.askPlain('/api/v1/version')).status, 401);
});

openapi('the description is valid OpenAPI 3.1 and contains every route with its responses', async () => {
  const document = await described();
  const checked = await new Validator().validate({ ...structuredClone(document) });
  assert.ok(checked.valid, JSON.stringify(checked.errors));
  assert.is(document.openapi, '3.1.0');
  const { version } = (await served.ask('/api/version')).json() as { readonly version: string };
  assert.is(document.info.version, version);
  const told = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  assert.equal(told.toSorted(), Object.keys(routes).toSorted());
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, { parameters, responses }] of Object.entries(operations)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      assert.equal(
        parameters.filter((one) => one.in === 'path').map(({ name }) => name),
        named,
        `${method} ${path}`,
      );
      assert.ok(
        Object.keys(responses).some((status) => /^[12]/.test(status)),
        `${method} ${path}`,
      );
      assert.ok('default' in responses);
    }
});

/** Streams have no end to wait for, and a sign-out would end the session of the test. */
const isCompared = (route: string) => !/ \/(events|logout)$/.test(route);

openapi('every route with an earlier name is deprecated, and its new name exists', async () => {
  const { paths } = await described();
  const deprecated = Object.entries(paths).filter(([, operations]) => operations['post']?.deprecated === true);
  assert.equal(
    deprecated.map(([path]) => path),
    Object.keys(paths).filter((path) => path.endsWith('/look')),
  );
  for (const [path] of deprecated) assert.ok(paths[path.replace(/look$/, 'reconcile')]?.['post'], path);
});

openapi('API-039 every route gives the same answer with and without the version', async () => {
  const answers = async (prefix: string, route: string) => {
    const [method = '', path = ''] = route.split(' ');
    const headers = { 'content-type': 'application/json' };
    const sent = method === 'POST' || method === 'PATCH' ? { headers, body: '{"nonsense":1}' } : {};
    const at = `${prefix}${path.replaceAll(/\{\w+\}/g, 'none')}`;
    const { status, text } = await served.ask(at, { method, ...sent });
    // What is made anew differs.
    return `${status} ${method === 'POST' && status < 300 ? '' : text}`;
  };
  const unknown = await answers('/api/v1', 'GET /nothing');
  assert.match(unknown, '404');
  for (const route of Object.keys(routes).filter(isCompared)) {
    const versioned = await answers('/api/v1', route);
    assert.is(await answers('/api', route), versioned, route);
    assert.is.not(versioned, unknown, route);
  }
});

openapi('the description states the permissions of the authorization table', async () => {
  const { paths } = await described();
  const operation = (route: RouteId) => {
    const [method = '', path = ''] = route.split(' ');
    return paths[path]?.[method.toLowerCase()];
  };
  assert.equal(operation('POST /login')?.security, []);
  assert.equal(operation('POST /tokens')?.security, [{ cookie: [] }]);
  assert.equal(operation('GET /apps')?.security, [{ cookie: [] }, { bearer: [] }]);
  assert.equal(operation('GET /builds/{build}/log')?.['x-callers'], {
    anonymous: '401',
    'viewer session': '403',
    'admin session': 'whole',
    'viewer token': '403',
    'observer token': 'observer',
    'admin token': 'whole',
    'project token': '403',
  });
  assert.is(operation('GET /apps')?.['x-callers']['project token'], 'own environment');
});

openapi('the description has an ETag and requires a sign-in', async () => {
  const { headers } = await served.ask('/api/openapi.json');
  assert.is(headers['cache-control'], 'private, no-cache');
  const again = await served.ask('/api/openapi.json', { headers: { 'if-none-match': headers.etag ?? '' } });
  assert.is(again.status, 304);
  assert.is((await served.askPlain('/api/openapi.json')).status, 401);
});

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const refusal = async (path: string, body?: string, headers: Record<string, string> = json) => {
  const { status, text } = await served.ask(path, body === undefined ? {} : { method: 'POST', body, headers });
  return `${status} ${(JSON.parse(text) as { readonly error?: string }).error ?? ''}`;
};

openapi('API-035 a query is checked against its schema, and the refusal names the parameter', async () => {
  assert.is(await refusal('/api/builds?limit=0'), '400 limit must be a whole number from 1 to 1000');
  assert.is(await refusal('/api/builds?limit=1e1'), '400 limit must be a whole number from 1 to 1000');
  assert.is(await refusal(`/api/builds?limit=${'9'.repeat(400)}`), '400 limit must be a whole number from 1 to 1000');
  assert.is(await refusal('/api/builds?limit=1&limit=2'), '400 limit is given more than once');
  assert.is(await refusal('/api/machines/build/instances?retrying=1'), '400 retrying must be true or false');
  assert.is(await refusal('/api/builds/shop-build-1/log?container=x'), '400 container must be builder or git');
  assert.is(await refusal('/api/apps/Shop'), '400 "Shop" is not a name');
  assert.is(await refusal('/api/apps/..%2f..%2fetc'), '400 "../../etc" is not a name');
});

openapi('unknown query parameters are ignored, including names of prototypes', async () => {
  for (const query of ['utm_source=x&utm_source=y', '__proto__=1', 'constructor=1&__proto__[limit]=0', 'limit='])
    assert.is((await served.ask(`/api/builds?${query}`)).status, 200, query);
});

openapi('unknown body fields are refused by name, including names of prototypes', async () => {
  const both = '"username":"admin","password":"x"';
  assert.is(await refusal('/api/login', `{${both},"role":"admin"}`), '400 unknown field "role"');
  assert.is(await refusal('/api/login', `{${both},"__proto__":{}}`), '400 unknown field "__proto__"');
  assert.is(await refusal('/api/login', `{${both},"constructor":1}`), '400 unknown field "constructor"');
  assert.is(await refusal('/api/login', `{${both},"a b":1}`), '400 unknown field "a b"');
  assert.is(await refusal('/api/login', '{"username":"admin"}'), '400 username and password are required');
  assert.is(
    await refusal('/api/login', '{"__proto__":{"username":"a","password":"b"}}').then((one) => one.slice(0, 3)),
    '400',
  );
});

openapi('a repeated field is refused in JSON and in forms', async () => {
  const twice = '400 "password" is given more than once';
  assert.is(await refusal('/api/login', '{"username":"a","password":"b","password":"c"}'), twice);
  assert.is(await refusal('/api/login', '{"username":"a","password":"b","p\\u0061ssword":"c"}'), twice);
  assert.is(await refusal('/api/login', 'username=a&password=b&password=c', form), twice);
  const inside = await refusal('/api/login', '{"username":{"a":1,"password":2},"password":"b"}');
  assert.is(inside, '400 username and password are required', 'a name inside is another name');
});

openapi('a body that is not an object, not text, compressed or of another type is refused', async () => {
  assert.is(await refusal('/api/login', '[]'), '400 the body must be an object');
  assert.is(await refusal('/api/login', '"text"'), '400 the body must be an object');
  assert.is(await refusal('/api/login', 'null'), '400 the body must be an object');
  assert.is(await refusal('/api/login', '{'), '400 the body is malformed');
  assert.is(
    await refusal('/api/login', '{}', { ...json, 'content-encoding': 'gzip' }),
    '415 the body is encoded in a way that is not understood',
  );
  assert.is(
    await refusal('/api/login', '{}', { 'content-type': 'application/json; charset=utf-16' }),
    '415 the body is encoded in a way that is not understood',
  );
});

openapi('the texts of a form are converted to the types of its schema', () => {
  const schemaOf = (route: RouteId): TObject => {
    const { body } = allRoutes[route].schema;
    if (body === undefined) throw new Error(`${route} takes no body`);
    return body.schema;
  };
  const schema = schemaOf('POST /auth/device/approve');
  const read = (words: string) => {
    const values = valuesOf(schema, new URLSearchParams(words));
    return values.is === 'right' ? check(schema, values.fields) : values;
  };
  assert.equal(read('code=bcdf&days=30'), { is: 'right', fields: { code: 'bcdf', days: 30 } });
  assert.equal(read('code=bcdf&days=seven'), { is: 'wrong', message: 'days must be a whole number' });
  assert.equal(read('days=7'), { is: 'wrong', message: 'code is required' });
  const made = schemaOf('POST /tokens');
  const until = (expiresAt: unknown) => check(made, { name: 'ci', expiresAt }).is;
  const times = ['2030-01-31T12:00:00Z', '2030-01-31T12:00:00.5+02:00', null, '2030-13-31T12:00:00Z', 'soon', 7];
  assert.equal(times.map(until), ['right', 'right', 'right', 'wrong', 'wrong', 'wrong']);
});

/** The types that a schema accepts, and those of its alternatives; `any` where it accepts every value. */
const typesOf = (field: TSchema): readonly string[] => {
  const alternatives = field['anyOf'] as readonly TSchema[] | undefined;
  return alternatives ? alternatives.flatMap(typesOf) : [String(field['type'] ?? 'any')];
};

openapi('LDB-088 numbers and booleans are accepted as texts in forms and refused as texts in JSON', () => {
  const words: Readonly<Record<string, string>> = { integer: '5', number: '5', boolean: 'true' };
  const seen: string[] = [];
  const unchecked: string[] = [];
  for (const [route, { body }] of Object.entries(schemasOf(allRoutes)))
    for (const [name, field] of Object.entries(body?.schema.properties ?? {})) {
      const types = typesOf(field);
      const place = `${route} ${name}`;
      if (types.includes('any')) unchecked.push(place);
      const word = types.map((type) => words[type]).find((one) => one !== undefined);
      if (word === undefined) continue;
      seen.push(place);
      const only = Type.Object({ [name]: field });
      const values = valuesOf(only, new URLSearchParams({ [name]: word }));
      assert.equal(values, { is: 'right', fields: { [name]: JSON.parse(word) as unknown } }, place);
      const takesText = types.includes('string') || types.includes('any');
      assert.is(check(only, { [name]: word }).is, takesText ? 'right' : 'wrong', place);
    }
  assert.ok(seen.length > 30, 'the schemas were not read');
  // Its route refuses it in the words of the documents, which another test holds.
  assert.equal(unchecked, ['POST /logical-databases connectionLimit']);
});

openapi.run();
