import { type SchemaOptions, type Static, type TObject, type TSchema, Type } from '@sinclair/typebox';
import { apiVersion, group, version } from './names.ts';
import type { ValidationRule } from './schema.ts';

/** The object metadata that Core reads or writes; `creationTimestamp` and `deletionTimestamp` are RFC 3339. */
export interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Any object of the Kubernetes API. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: Metadata;
}

/** A column that `kubectl get` prints. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'date';
  readonly jsonPath: string;
  readonly description?: string;
  readonly priority?: number;
}

/** One kind of Core: the single source of its TypeScript type, its manifest and its validation. */
export interface Kind<Spec extends TSchema = TSchema, Status extends TSchema = TSchema> {
  readonly kind: string;
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly describes: string;
  readonly spec: Spec;
  readonly status: Status;
  readonly columns: readonly PrinterColumn[];
  readonly rules?: readonly ValidationRule[];
}

/** A deeply read-only type, because objects from the cache must not be changed. */
export type Frozen<T> = T extends readonly (infer E)[]
  ? readonly Frozen<E>[]
  : T extends object
    ? { readonly [P in keyof T]: Frozen<T[P]> }
    : T;

/** The object of a kind as read from the API: defaults are applied, `status` may be missing. */
export interface ObjectOf<K extends Kind> extends KubeObject {
  readonly spec: Frozen<Static<K['spec']>>;
  readonly status?: Frozen<Static<K['status']>>;
}

export const defineKind = <Spec extends TObject, Status extends TObject>(kind: Kind<Spec, Status>) => kind;

const dnsName = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$';
const quantity = '^[0-9]+(\\.[0-9]+)?([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$';

/** Schema fragments that several kinds share. */
export const shape = {
  text: (description: string, options: object = {}) => Type.String({ description, ...options }),
  flag: (description: string, options: object = {}) => Type.Boolean({ description, ...options }),
  count: (description: string, options: object = {}) => Type.Integer({ description, ...options }),
  choice: <const Values extends readonly string[]>(description: string, values: Values, options: SchemaOptions = {}) =>
    Type.Unsafe<Values[number]>({ type: 'string', description, enum: values, ...options }),
  time: (description: string, options: object = {}) => Type.String({ description, format: 'date-time', ...options }),
  quantity: (description: string) =>
    Type.Unsafe<string | number>({
      description,
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      pattern: quantity,
      'x-kubernetes-int-or-string': true,
    }),
  dnsLabel: (description: string, maxLength: number) => Type.String({ description, pattern: dnsName, maxLength }),
  reference: (description: string) =>
    Type.Object(
      { name: Type.String({ description: 'Name of the object in core-system.', maxLength: 253 }) },
      { description },
    ),
  emptyReference: (description: string) =>
    Type.Object(
      { name: Type.String({ description: 'Name of the object in core-system.', default: '', maxLength: 253 }) },
      { description },
    ),
  bucket: (description: string) =>
    Type.String({
      description,
      minLength: 3,
      maxLength: 63,
      pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
      'x-kubernetes-validations': [
        {
          rule: "!self.matches('[.][.-]|-[.]|^[0-9]+([.][0-9]+){3}$')",
          message:
            'must be the name of a bucket: its labels begin and end with a letter or digit, and it is no IP address',
        },
      ],
    }),
  tags: (description: string) =>
    Type.Array(Type.String({ pattern: dnsName, maxLength: 40 }), {
      description,
      maxItems: 8,
      'x-kubernetes-list-type': 'set',
    }),
  open: (description: string) => Type.Object({}, { description, 'x-kubernetes-preserve-unknown-fields': true }),
};

/** The least privileged view that contains a value: the redacted copy, the copy with logs, or the whole. */
const views = ['viewer', 'observer', 'whole'] as const;

export const params = Type.Array(
  Type.Object({
    name: shape.text('What the value is.'),
    value: shape.text('The value as written in the sentence.'),
    to: shape.choice('The least view that reads the value.', views),
    at: shape.count('Where in the sentence it begins, in UTF-16 code units.', { minimum: 0 }),
  }),
  {
    description:
      'The variable parts of the sentence, in their order. A role reads the sentence without the parts hidden from it; a sentence without this list is hidden entirely.',
  },
);
export type Param = Frozen<Static<typeof params>[number]>;

/** `status.conditions`, in the shape every Kubernetes tool reads. */
export const conditions = Type.Array(
  Type.Object({
    type: shape.text('What is judged, such as Ready.'),
    status: shape.choice('The verdict.', ['True', 'False', 'Unknown']),
    reason: shape.text('The verdict in one word, for programs.'),
    message: shape.text('The verdict in a sentence, for people.'),
    params: Type.Optional(params),
    lastTransitionTime: shape.time('When `status` last changed.'),
    observedGeneration: Type.Optional(shape.count('The generation judged.', { format: 'int64' })),
  }),
  { description: 'What was last observed.', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] },
);

/**
 * `status.observedGeneration`: written with what was decided for that generation, never before (decision 169). Tools that
 * wait for an object compare it with `metadata.generation`.
 */
export const observedGeneration = shape.count('The newest generation that was decided over.', { format: 'int64' });

/** `status.history`: the newest 20 transitions of each machine of the object (decision 141). */
export const history = Type.Array(
  Type.Object({
    seq: shape.count('Counts the moves of the object from 1.', { format: 'int64' }),
    machine: shape.text('The machine that moved.'),
    item: Type.Optional(shape.text('The entry of a list that moved; absent where the object itself did.')),
    from: shape.text('State before.'),
    event: shape.text('What happened.'),
    to: shape.text('State after.'),
    rule: Type.Optional(shape.text('The rule that held; absent for a command.')),
    by: shape.text('Who moved it: `operator`, a user, `webhook`, or `outside`.'),
    at: shape.time('When it moved.'),
    text: shape.text('The move in words.'),
    params: Type.Optional(params),
  }),
  { description: 'The newest 20 moves of each machine, oldest first.' },
);
export type HistoryEntry = Frozen<Static<typeof history>[number]>;

export const fullName = (kind: Kind) => `${kind.plural}.${group}`;
export const typeMeta = (kind: Kind) => ({ apiVersion, kind: kind.kind }) as const;
export { version };
