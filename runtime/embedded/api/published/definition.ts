/** A type of the client's models. */
export interface Model {
  readonly description: string;
  readonly fields: readonly ModelField[];
}

export interface ModelField {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly isOptional: boolean;
}

/** What a field may hold: a plain value, a value of a definition, or a list or map of these. */
export type Shape =
  | { readonly is: 'plain'; readonly type: string; readonly format?: string }
  | { readonly is: 'ref'; readonly name: string }
  | { readonly is: 'list'; readonly of: Shape }
  | { readonly is: 'map'; readonly of: Shape }
  | { readonly is: 'any' };

export interface Field {
  readonly shape: Shape;
  readonly description: string;
  /** The name of its type in Go, where the shape does not determine it. */
  readonly goType?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly listType?: string;
  readonly mapKeys?: readonly string[];
  readonly mapType?: string;
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
}

/** A type of the API as it is published. */
export interface Definition {
  readonly name: string;
  readonly description: string;
  readonly required: readonly string[];
  readonly fields: Readonly<Record<string, Field>>;
  readonly mapType?: string;
  /** Set where it is no object: a value of this type and format, or of one of several types. */
  readonly plain?: { readonly type?: string; readonly format?: string; readonly oneOf?: readonly string[] };
}

export const metaV1 = 'io.k8s.apimachinery.pkg.apis.meta.v1';
