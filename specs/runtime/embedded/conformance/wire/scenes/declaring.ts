import { type Json, at, listAt, textAt, without } from '../../../../../../runtime/embedded/api/json.ts';
import { definitionsPath, group } from '../kinds.ts';
import { get, mergePatch, patch, post, put, remove, type Scene, table } from '../scene.ts';

const other = `other.${group}`;
const text = { type: 'string' };
const schemaOf = (properties: Json): Json => ({ type: 'object', properties });
const versionOf = (schema: Json, more: Json = {}): Json => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: schema },
  ...more,
});
const named = (plural: string, more: Json = {}): Json => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${other}` },
  spec: {
    group: other,
    scope: 'Namespaced',
    names: { plural, kind: 'Sample' },
    versions: [versionOf(schemaOf({}))],
    ...more,
  },
});
const samples = (more: Json = {}) => named('samples', more);
const withSchema = (properties: Json) =>
  post(`${definitionsPath}?dryRun=All`, samples({ versions: [versionOf(schemaOf(properties))] }), {
    look: refusalOnly,
  });
const withRule = (rule: Json, schema: Json = text) =>
  withSchema({ a: { ...schema, 'x-kubernetes-validations': [rule] } });
const withSpec = (more: Json) => post(`${definitionsPath}?dryRun=All`, samples(more), { look: refusalOnly });
/** Of what is refused everything, of what is taken that it is. */
const refusalOnly = (body: Json) => (body['kind'] === 'Status' ? body : textAt(body, 'kind'));
const one = `${definitionsPath}/samples.${other}`;
const isEstablished = (body: Json) =>
  listAt(body, 'status', 'conditions').some(
    (condition) => textAt(condition, 'type') === 'Established' && textAt(condition, 'status') === 'True',
  );
const isGone = ({ code }: Json) => code === 404;

/** How a kind is declared, and what is no declaration. */
export const declaring: readonly Scene[] = [
  {
    title: 'a definition is filled in and established, and goes again',
    steps: [
      post(
        definitionsPath,
        samples({ names: { plural: 'samples', kind: 'Sample', shortNames: ['sa'], categories: ['x'] } }),
        { look: (body) => ({ ...without(body, 'status'), metadata: textAt(body, 'metadata', 'name') }) },
      ),
      get(one, {
        until: isEstablished,
        look: (body) => [at(body, 'metadata', 'generation'), body['spec'], body['status']],
      }),
      get(one, {
        accept: table,
        look: (body) => [body['columnDefinitions'], listAt(body, 'rows').map((row) => textAt(row, 'cells', '0'))],
      }),
      get(`${one}/status`, { look: (body) => body['status'] }),
      patch(
        one,
        mergePatch,
        {
          spec: {
            versions: [
              versionOf(schemaOf({ a: text }), {
                additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.a' }],
              }),
            ],
          },
        },
        { look: (body) => [at(body, 'metadata', 'generation'), body['spec']] },
      ),
      patch(one, mergePatch, { spec: { scope: 'Cluster' } }),
      patch(one, mergePatch, { spec: { group: 'x.example.com' } }),
      patch(one, mergePatch, { spec: { names: { plural: 'others' } } }),
      patch(one, mergePatch, { spec: { names: { kind: 'Other' } } }, { look: (body) => body['spec'] ?? body }),
      patch(one, mergePatch, { spec: { versions: [{ ...versionOf(schemaOf({})), name: 'v2' }] } }),
      patch(
        one,
        mergePatch,
        { metadata: { finalizers: ['customresourcecleanup.apiextensions.k8s.io', 'a.example.com/b'] } },
        { look: (body) => at(body, 'metadata', 'finalizers') },
      ),
      remove(one, undefined, { look: (body) => [body['kind'], at(body, 'metadata', 'finalizers')] }),
      patch(one, mergePatch, { metadata: { finalizers: null } }, { look: (body) => body['kind'] }),
      get(one, { until: isGone }),
      put(one, samples()),
    ],
  },
  {
    title: 'a definition without what it needs is refused',
    steps: [
      post(definitionsPath, {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `samples.${other}` },
      }),
      post(definitionsPath, { ...samples(), metadata: { name: 'wrong' } }),
      post(definitionsPath, { ...samples(), apiVersion: 'apiextensions.k8s.io/v1beta1' }),
      withSpec({ group: '' }),
      withSpec({ group: 'Not_A_Group' }),
      withSpec({ group: 'nodots' }),
      withSpec({ scope: 'Wrong' }),
      withSpec({ scope: undefined }),
      withSpec({ names: { plural: 'Samples', kind: 'Sample' } }),
      withSpec({ names: { plural: 'samples' } }),
      withSpec({ names: { plural: 'samples', kind: 'not a kind' } }),
      withSpec({ names: { plural: 'samples', kind: 'Sample', listKind: 'Sample' } }),
      withSpec({ names: { plural: 'samples', kind: 'Sample', shortNames: ['Bad_'] } }),
      withSpec({ versions: [] }),
      withSpec({ versions: [{ ...versionOf(schemaOf({})), storage: false }] }),
      withSpec({ versions: [versionOf(schemaOf({})), { ...versionOf(schemaOf({})), name: 'v2' }] }),
      withSpec({ versions: [versionOf(schemaOf({})), { ...versionOf(schemaOf({})), storage: false }] }),
      withSpec({ versions: [{ ...versionOf(schemaOf({})), name: 'Not_' }] }),
      withSpec({ versions: [{ name: 'v1', served: true, storage: true }] }),
      withSpec({ versions: [versionOf({})] }),
      withSpec({ versions: [versionOf({ type: 'string' })] }),
      withSpec({
        versions: [
          versionOf(schemaOf({}), { additionalPrinterColumns: [{ name: 'A', type: 'wrong', jsonPath: 'x' }] }),
        ],
      }),
      withSpec({ versions: [versionOf(schemaOf({}), { additionalPrinterColumns: [{ type: 'string' }] })] }),
      withSpec({ versions: [versionOf(schemaOf({}), { subresources: { scale: {} } })] }),
      withSpec({
        versions: [
          versionOf(schemaOf({}), { subresources: { scale: { specReplicasPath: '.wrong', statusReplicasPath: 'x' } } }),
        ],
      }),
      withSpec({ versions: [versionOf(schemaOf({ a: text }), { selectableFields: [{ jsonPath: '.a' }] })] }),
      withSpec({
        versions: [
          versionOf(schemaOf({ a: text }), {
            selectableFields: [{ jsonPath: '.b' }, { jsonPath: '.a' }, { jsonPath: '.a' }],
          }),
        ],
      }),
      withSpec({ preserveUnknownFields: true }),
      withSpec({ conversion: { strategy: 'Webhook' } }),
      withSpec({ conversion: { strategy: 'Wrong' } }),
      withSpec({ unknown: 1 }),
      post(`${definitionsPath}?fieldValidation=Strict&dryRun=All`, samples({ unknown: 1 })),
    ],
  },
  {
    title: 'a schema that is not structural is refused',
    steps: [
      withSchema({ a: {} }),
      withSchema({ a: { type: 'wrong' } }),
      withSchema({ a: { type: 'array' } }),
      withSchema({ a: { type: 'array', items: {} } }),
      withSchema({ a: { type: 'object', properties: { b: {} } } }),
      withSchema({ a: { type: 'object', properties: {}, additionalProperties: text } }),
      withSchema({ a: { type: 'object', additionalProperties: false } }),
      withSchema({ a: { ...text, pattern: '(' } }),
      withSchema({ a: { ...text, pattern: '(?=a)' } }),
      withSchema({ a: { ...text, default: 5 } }),
      withSchema({ a: { ...text, enum: ['x'], default: 'y' } }),
      withSchema({ a: { type: 'object', default: { unknown: 1 }, properties: { b: text } } }),
      withSchema({ a: { ...text, nullable: false, default: null } }),
      withSchema({ a: { type: 'array', items: text, 'x-kubernetes-list-type': 'wrong' } }),
      withSchema({ a: { ...text, 'x-kubernetes-list-type': 'set' } }),
      withSchema({ a: { type: 'array', items: text, 'x-kubernetes-list-type': 'map' } }),
      withSchema({
        a: { type: 'array', items: text, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
      }),
      withSchema({
        a: {
          type: 'array',
          items: { type: 'object', properties: { k: text } },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
        },
      }),
      withSchema({
        a: {
          type: 'array',
          items: { type: 'object', required: ['k'], properties: { k: { type: 'object' } } },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
        },
      }),
      withSchema({ a: { type: 'array', items: { type: 'array', items: text }, 'x-kubernetes-list-type': 'set' } }),
      withSchema({ a: { ...text, 'x-kubernetes-map-type': 'atomic' } }),
      withSchema({ a: { ...text, uniqueItems: true } }),
      withSchema({ a: { type: 'array', items: text, uniqueItems: true } }),
      withSchema({ a: { ...text, 'x-kubernetes-int-or-string': true } }),
      withSchema({ a: { 'x-kubernetes-int-or-string': true } }),
      withSchema({ a: { 'x-kubernetes-preserve-unknown-fields': false } }),
      withSchema({ a: { anyOf: [{ type: 'string' }] } }),
      withSchema({ a: { ...text, anyOf: [{ type: 'string' }, { minLength: 3 }] } }),
      withSchema({ a: { ...text, allOf: [{ description: 'x', default: 'y' }] } }),
      withSchema({ a: { type: 'object', oneOf: [{ properties: { b: { minLength: 1 } } }] } }),
      withSchema({ a: { ...text, minLength: 5, maxLength: 2 } }),
      withSchema({ a: { ...text, $ref: '#/x' } }),
      withSchema({ metadata: { type: 'object', properties: { name: { ...text, pattern: 'x' } } } }),
      withSchema({ metadata: { type: 'object', properties: { labels: { type: 'object' } } } }),
      withSchema({ metadata: text, kind: { type: 'integer' }, apiVersion: text }),
      withSchema({ a: { ...text, format: 'anything' } }),
    ],
  },
  {
    title: 'a rule that cannot be is refused',
    steps: [
      withRule({ rule: '' }),
      withRule({ message: 'x' }),
      withRule({ rule: 'self ==' }),
      withRule({ rule: 'self == 5' }),
      withRule({ rule: 'self' }),
      withRule({ rule: 'nothing == self' }),
      withRule({ rule: 'self.nothing == 5' }, { type: 'object', properties: { b: text } }),
      withRule({ rule: 'self.b == 5' }, { type: 'object', properties: { b: text } }),
      withRule({ rule: 'self.size() > 2', message: 'a\nb' }),
      withRule({ rule: 'self.size() > 2', message: ' ' }),
      withRule({ rule: 'self.size() > 2\n && true' }),
      withRule({ rule: 'self.size() > 2', messageExpression: 'self +' }),
      withRule({ rule: 'self.size() > 2', messageExpression: '5' }),
      withRule({ rule: 'self.size() > 2', reason: 'Wrong' }),
      withRule({ rule: 'self.size() > 2', fieldPath: '.nothing' }),
      withRule({ rule: 'self.size() > 2', optionalOldSelf: true }),
      withRule({ rule: 'oldSelf.hasValue() || self == "x"', optionalOldSelf: true }),
      withRule({ rule: 'self.all(x, x.all(y, y == x))' }, { type: 'array', items: { type: 'array', items: text } }),
      withRule({ rule: 'self.all(x, self.all(y, y.matches(x)))' }, { type: 'array', items: text }),
      withRule({ rule: 'self.all(x, x != "a")' }, { type: 'array', maxItems: 10, items: { ...text, maxLength: 10 } }),
      withRule({ rule: 'self == oldSelf' }),
      withSchema({
        a: { type: 'array', items: { ...text, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] } },
      }),
    ],
  },
  {
    title: 'names that are taken are not accepted',
    steps: [
      post(definitionsPath, samples(), { look: (body) => body['kind'] }),
      get(one, { until: isEstablished, look: (body) => body['kind'] }),
      post(definitionsPath, named('seconds', { names: { plural: 'seconds', kind: 'Sample', shortNames: ['x'] } }), {
        look: (body) => body['kind'],
      }),
      get(`${definitionsPath}/seconds.${other}`, {
        until: (body) => listAt(body, 'status', 'conditions').length > 0,
        look: (body) => body['status'],
      }),
      post(definitionsPath, samples()),
    ],
  },
];
