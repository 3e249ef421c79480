import { builtInSchema } from '../schema/builtIn.ts';
import { type ResourceType, groupVersion } from '../kinds/type.ts';

type Document = Readonly<Record<string, unknown>>;

/** The OpenAPI 3 document of one version of a group. */
export function groupDocument(types: readonly ResourceType[], info: Document): Document {
  return {
    openapi: '3.0.0',
    info,
    paths: Object.fromEntries(types.flatMap(pathsOf)),
    components: { schemas: { [objectMeta]: metadataSchema, ...Object.fromEntries(types.map(schemaEntry)) } },
  };
}

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const text = { type: 'string' };
const texts = { type: 'object', additionalProperties: text };
const metadataSchema = {
  type: 'object',
  description: 'Metadata that every stored object has.',
  properties: {
    name: { ...text, description: 'Unique among the objects of its kind in its namespace.' },
    generateName: { ...text, description: 'Beginning of a name that the server completes.' },
    namespace: { ...text, description: 'The namespace of the object.' },
    uid: { ...text, description: 'Unique over all objects and all time.' },
    resourceVersion: { ...text, description: 'Changes with every write of the object.' },
    generation: { type: 'integer', format: 'int64', description: 'Counts the changes of the desired state.' },
    creationTimestamp: { ...text, format: 'date-time', description: 'When the object was created.' },
    deletionTimestamp: { ...text, format: 'date-time', description: 'When its deletion was asked for.' },
    deletionGracePeriodSeconds: { type: 'integer', format: 'int64', description: 'How long a deletion may take.' },
    labels: { ...texts, description: 'What objects are selected by.' },
    annotations: { ...texts, description: 'Anything else that is noted about the object.' },
    finalizers: { type: 'array', items: text, description: 'Who must agree before the object is gone.' },
    ownerReferences: { type: 'array', items: { type: 'object' }, description: 'The objects that this one belongs to.' },
    managedFields: { type: 'array', items: { type: 'object' }, description: 'Who applied which fields.' },
  },
};

const schemaName = ({ group, version, kind }: ResourceType) =>
  [...(group === '' ? 'core' : group).split('.').toReversed(), version, kind].join('.');
const kindOf = ({ group, version, kind }: ResourceType) => ({ group, version, kind });

function schemaEntry(type: ResourceType): readonly [string, Document] {
  const metadata = { allOf: [{ $ref: `#/components/schemas/${objectMeta}` }], description: 'Metadata of the object.' };
  const schema = type.custom?.schema ?? builtInSchema(type.group, type.kind) ?? openSchema(type);
  const properties = {
    apiVersion: { ...text, description: 'Version of the schema of this object.' },
    kind: { ...text, description: 'Kind of this object.' },
    ...schema.properties,
    metadata,
  };
  return [schemaName(type), { ...schema, properties, 'x-kubernetes-group-version-kind': [kindOf(type)] }];
}

/** A kind of which only clients know the fields. */
const openSchema = ({ kind }: ResourceType) => ({
  type: 'object',
  description: `A ${kind} of Kubernetes.`,
  properties: {},
  'x-kubernetes-preserve-unknown-fields': true,
});

function pathsOf(type: ResourceType): readonly (readonly [string, Document])[] {
  const root = type.group === '' ? `/api/${type.version}` : `/apis/${groupVersion(type)}`;
  const collection = type.namespaced ? `${root}/namespaces/{namespace}/${type.plural}` : `${root}/${type.plural}`;
  return [
    [collection, { get: operation(type, 'list'), post: operation(type, 'post') }],
    [
      `${collection}/{name}`,
      {
        get: operation(type, 'get'),
        put: operation(type, 'put'),
        patch: patchOperation(type),
        delete: operation(type, 'delete'),
      },
    ],
  ];
}

const parameter = (name: string) => ({ name, in: 'query', schema: text });
const writeParameters = ['dryRun', 'fieldManager', 'fieldValidation'].map(parameter);

function operation(type: ResourceType, action: string): Document {
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${schemaName(type)}` } } };
  return {
    operationId: `${action}${type.kind}`,
    ...(['post', 'put'].includes(action) && { parameters: writeParameters, requestBody: { content } }),
    responses: { 200: { description: 'OK', content } },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': kindOf(type),
  };
}

/** Strategic merge patches are not listed: clients then build them from the merge keys they know themselves. */
function patchOperation(type: ResourceType): Document {
  const types = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml'];
  const content = Object.fromEntries(types.map((media) => [media, { schema: { type: 'object' } }]));
  return {
    ...operation(type, 'patch'),
    parameters: [...writeParameters, parameter('force')],
    requestBody: { content },
  };
}
