import type { Json } from '../../../../../runtime/embedded/api/json.ts';

export const group = 'conformance.example.com';
export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** Where things stand: in a namespace that every cluster has. */
export const things = `/apis/${group}/v1/namespaces/default/things`;
export const plains = `/apis/${group}/v1/plains`;

const text = { type: 'string' };

const spec = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', minimum: 1, maximum: 100, format: 'int32' },
    color: { ...text, enum: ['red', 'green', 'blue'], default: 'red' },
    code: { ...text, pattern: '^[a-z]{2,4}$', minLength: 2, maxLength: 4 },
    email: { ...text, format: 'email' },
    when: { ...text, format: 'date-time' },
    lasts: { ...text, format: 'duration' },
    ratio: { type: 'number', exclusiveMinimum: true, minimum: 0 },
    step: { type: 'integer', multipleOf: 5, exclusiveMaximum: true, maximum: 50 },
    on: { type: 'boolean' },
    port: { 'x-kubernetes-int-or-string': true },
    maybe: { ...text, nullable: true },
    filled: { ...text, nullable: true, default: 'full' },
    replicas: { type: 'integer', default: 1 },
    fixed: {
      ...text,
      maxLength: 20,
      'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'fixed cannot be changed' }],
    },
    tags: { type: 'array', maxItems: 3, items: { ...text, maxLength: 10 }, 'x-kubernetes-list-type': 'set' },
    plain: { type: 'array', minItems: 1, maxItems: 4, items: { type: 'integer' } },
    parts: {
      type: 'array',
      maxItems: 5,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { ...text, maxLength: 20 },
          weight: { type: 'integer', default: 7 },
          depth: { type: 'object', properties: { a: text, b: { ...text, default: 'deep' } } },
        },
        'x-kubernetes-validations': [{ rule: "self.name != 'no'", message: 'a part cannot be no' }],
      },
    },
    labels: { type: 'object', maxProperties: 2, additionalProperties: { ...text, maxLength: 5 } },
    nested: { type: 'object', default: {}, properties: { level: { type: 'integer', default: 3 }, word: text } },
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    atom: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { x: text, y: text } },
    low: { type: 'integer' },
    high: { type: 'integer' },
    either: {
      type: 'object',
      properties: { left: text, right: text },
      oneOf: [{ required: ['left'] }, { required: ['right'] }],
    },
  },
  'x-kubernetes-validations': [
    {
      rule: '!has(self.low) || !has(self.high) || self.low <= self.high',
      message: 'low is at most high',
      fieldPath: '.low',
    },
    {
      rule: "!has(self.code) || self.code != 'bad'",
      messageExpression: "'the code ' + self.code + ' is not good'",
      reason: 'FieldValueForbidden',
    },
    { rule: 'self.size != 13' },
    {
      rule: '!has(oldSelf.high) || has(self.high)',
      message: 'high cannot be taken away',
      reason: 'FieldValueRequired',
    },
  ],
};

const status = {
  type: 'object',
  properties: {
    phase: { ...text, enum: ['New', 'Done'] },
    replicas: { type: 'integer' },
    selector: text,
    note: { ...text, default: 'none' },
  },
};

const columns = [
  { name: 'Size', type: 'integer', jsonPath: '.spec.size', description: 'How large it is.' },
  { name: 'Color', type: 'string', jsonPath: '.spec.color' },
  { name: 'On', type: 'boolean', jsonPath: '.spec.on' },
  { name: 'Ratio', type: 'number', jsonPath: '.spec.ratio', format: 'double' },
  { name: 'Tags', type: 'string', jsonPath: '.spec.tags', priority: 1 },
  { name: 'First', type: 'string', jsonPath: '.spec.parts[0].name' },
  { name: 'Names', type: 'string', jsonPath: '.spec.parts[*].name' },
  { name: 'When', type: 'date', jsonPath: '.spec.when' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

/** A kind with everything that a schema can say. */
export const thing: Json = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `things.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing', shortNames: ['th'], categories: ['conformance'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'A thing.',
            required: ['spec'],
            properties: { metadata: { type: 'object' }, spec, status },
            'x-kubernetes-validations': [
              { rule: "self.metadata.name != 'forbidden'", message: 'no thing is called forbidden' },
            ],
          },
        },
        subresources: {
          status: {},
          scale: {
            specReplicasPath: '.spec.replicas',
            statusReplicasPath: '.status.replicas',
            labelSelectorPath: '.status.selector',
          },
        },
        additionalPrinterColumns: columns,
        selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.spec.size' }],
      },
    ],
  },
};

/** A kind of no namespace and without any schema to speak of, in two versions. */
export const plain: Json = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `plains.${group}` },
  spec: {
    group,
    scope: 'Cluster',
    names: { plural: 'plains', kind: 'Plain' },
    versions: ['v1', 'v1beta1'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      ...(name === 'v1beta1' && { deprecated: true }),
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    })),
  },
};

/** A thing as a client sends it. */
export const aThing = (name: string, spec: Json = {}, metadata: Json = {}): Json => ({
  apiVersion: `${group}/v1`,
  kind: 'Thing',
  metadata: { name, ...metadata },
  spec: { size: 5, ...spec },
});

export const aPlain = (name: string, body: Json = {}, metadata: Json = {}): Json => ({
  apiVersion: `${group}/v1`,
  kind: 'Plain',
  metadata: { name, ...metadata },
  ...body,
});
