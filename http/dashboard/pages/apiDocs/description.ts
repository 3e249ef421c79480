/** The part of the API description (GET /api/v1/openapi.json) that the page shows. */
export interface ApiDescription {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, SchemaObject>> };
}

export interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly 'x-callers': Readonly<Record<string, string>>;
  readonly parameters: readonly ParameterObject[];
  readonly requestBody?: { readonly required: boolean; readonly content: ContentObject };
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

export interface ParameterObject {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: SchemaObject;
}

export interface ResponseObject {
  readonly description: string;
  readonly content?: ContentObject;
}

type ContentObject = Readonly<Record<string, { readonly schema: SchemaObject }>>;

export interface SchemaObject {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly anyOf?: readonly SchemaObject[];
  readonly items?: SchemaObject;
  readonly properties?: Readonly<Record<string, SchemaObject>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: SchemaObject | boolean;
  readonly description?: string;
}

/** One route in the list of the page. */
export interface DocumentedRoute {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

/** The name that a schema is referred to by; null for an inline one. */
export const referred = ({ $ref }: SchemaObject): string | null => $ref?.split('/').at(-1) ?? null;

const quoted = (value: unknown): string => JSON.stringify(value);

/** The type of a value, in a few words. */
export function typeWords(schema: SchemaObject): string {
  const name = referred(schema);
  if (name !== null) return name;
  if (schema.anyOf) return schema.anyOf.map(typeWords).join(' or ');
  if (schema.enum) return schema.enum.map(quoted).join(' or ');
  if (schema.const !== undefined) return quoted(schema.const);
  if (schema.items) return `list of ${typeWords(schema.items)}`;
  const values = schema.additionalProperties;
  if (typeof values === 'object' && !schema.properties) return `map of ${typeWords(values)}`;
  return plainWords(schema);
}

function plainWords({ type = 'anything', format, minimum, maximum }: SchemaObject): string {
  const range = minimum !== undefined && maximum !== undefined ? ` from ${minimum} to ${maximum}` : '';
  return format === 'date-time' ? 'time' : `${type}${range}`;
}

/** The routes of a group that match a search, in the order of the description. */
export function routesOf({ paths }: ApiDescription, group: string, search: string): readonly DocumentedRoute[] {
  const wanted = search.trim().toLowerCase();
  return Object.entries(paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    )
    .filter(({ operation }) => operation.tags.includes(group))
    .filter(({ method, path, operation }) => `${method} ${path} ${operation.summary}`.toLowerCase().includes(wanted));
}
