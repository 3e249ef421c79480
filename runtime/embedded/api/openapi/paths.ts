import { type ResourceType, type Subresource, groupVersion, verbsOf } from '../kinds/type.ts';
import { metaV1 } from '../published/definition.ts';
import { definitionName } from '../published/definitions.ts';
import { type Dialect, type Document, reference } from './component.ts';
import { parameter, pathParameters, readParameters, writeParameters } from './parameters.ts';
import { schemaName } from './schemas.ts';

/** The paths of a resource and of its subresources. */
export function pathsOf(type: ResourceType, dialect: Dialect): readonly (readonly [string, Document])[] {
  const root = type.group === '' ? `/api/${type.version}` : `/apis/${groupVersion(type)}`;
  const everywhere: readonly (readonly [string, Document])[] =
    type.namespaced && verbsOf(type).includes('list')
      ? [[`${root}/${type.plural}`, { get: operation(type, 'list', { dialect, suffix: 'ForAllNamespaces' }) }]]
      : [];
  const collection = type.namespaced ? `${root}/namespaces/{namespace}/${type.plural}` : `${root}/${type.plural}`;
  const namespace = pathParameters(type.namespaced ? ['namespace'] : [], dialect);
  const named = pathParameters(type.namespaced ? ['namespace', 'name'] : ['name'], dialect);
  const of = (actions: Readonly<Record<string, Action>>) =>
    Object.fromEntries(
      Object.entries(actions)
        .filter(([, action]) => verbsOf(type).includes(verbNames[action]))
        .map(([method, action]) => [method, operation(type, action, { dialect, suffix: '' })]),
    );
  return [
    ...everywhere,
    [collection, { ...of({ get: 'list', post: 'post', delete: 'deletecollection' }), ...namespace }],
    [`${collection}/{name}`, { ...of({ get: 'get', put: 'put', patch: 'patch', delete: 'delete' }), ...named }],
    ...type.subresources.filter(isWhole).map(
      (name) =>
        [
          `${collection}/{name}/${name}`,
          {
            get: operation(subject(type, name), 'get', { dialect, suffix: suffixOf(type, name) }),
            put: operation(subject(type, name), 'put', { dialect, suffix: suffixOf(type, name) }),
            patch: operation(subject(type, name), 'patch', { dialect, suffix: suffixOf(type, name) }),
            ...named,
          },
        ] as const,
    ),
  ];
}

/** Subresources that are read and written as objects. */
const isWhole = (name: Subresource) => name === 'status' || name === 'scale';
const suffixOf = ({ kind }: ResourceType, name: string) => `Of${kind}${name.charAt(0).toUpperCase()}${name.slice(1)}`;

type Subject = Pick<ResourceType, 'group' | 'version' | 'kind'> & { readonly schema: string; readonly plural: string };
const subject = (type: ResourceType, name: Subresource | null): Subject => {
  if (name !== 'scale') return { ...type, schema: schemaName(type) };
  const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
  return { ...scale, plural: type.plural, schema: definitionName(scale.group, scale.version, scale.kind) };
};

type Action = 'list' | 'get' | 'post' | 'put' | 'patch' | 'delete' | 'deletecollection';
const verbNames: Readonly<Record<Action, string>> = {
  list: 'list',
  get: 'get',
  post: 'create',
  put: 'update',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'deletecollection',
};
interface Manner {
  readonly dialect: Dialect;
  readonly suffix: string;
}

const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];

function operation(of: ResourceType | Subject, action: Action, { dialect, suffix }: Manner): Document {
  const { group, version, kind, schema } = 'schema' in of ? of : subject(of, null);
  const isCustom = 'custom' in of && of.custom !== undefined;
  const media = patchTypes.filter((one) => !isCustom || !one.includes('strategic'));
  const answer =
    action === 'list'
      ? `${schema}List`
      : action === 'delete' || action === 'deletecollection'
        ? `${metaV1}.Status`
        : schema;
  const body = bodyOf(action, schema);
  const query = body === null ? readParameters(action) : writeParameters(action);
  return {
    operationId: `${action}${group.replace(/[^a-zA-Z0-9]/g, '_')}${version}${kind}${suffix}`,
    tags: [group === '' ? `core_${version}` : `${group.split('.')[0]}_${version}`],
    ...taking({ dialect, suffix }, { body, query, media: action === 'patch' ? media : ['application/json'] }),
    responses: answers(dialect, answer, action === 'post' || action === 'patch' ? ['200', '201'] : ['200']),
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group, version, kind },
  };
}

function bodyOf(action: Action, schema: string): string | null {
  if (action === 'post' || action === 'put') return schema;
  if (action === 'patch') return `${metaV1}.Patch`;
  return action === 'delete' || action === 'deletecollection' ? `${metaV1}.DeleteOptions` : null;
}

interface Taken {
  readonly body: string | null;
  readonly query: readonly string[];
  readonly media: readonly string[];
}

/** What an operation takes: in OpenAPI 2 the body is a parameter among the others. */
function taking({ dialect }: Manner, { body, query, media }: Taken): Document {
  const parameters = query.map((name) => parameter(name, dialect));
  if (body === null) return { parameters };
  const schema = reference(dialect, body);
  if (dialect === 'v2') return { consumes: media, parameters: [...parameters, { name: 'body', in: 'body', schema }] };
  return { parameters, requestBody: { content: Object.fromEntries(media.map((one) => [one, { schema }])) } };
}

function answers(dialect: Dialect, name: string, codes: readonly string[]): Document {
  const schema = reference(dialect, name);
  const held = dialect === 'v2' ? { schema } : { content: { 'application/json': { schema } } };
  return {
    ...Object.fromEntries(codes.map((code) => [code, { description: code === '200' ? 'OK' : 'Created', ...held }])),
    401: { description: 'Unauthorized' },
  };
}
