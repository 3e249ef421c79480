import { type Static, Type } from '@sinclair/typebox';

const closed = { additionalProperties: false };
const dnsLabel = { pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 };
const quantity = (value: string) =>
  Type.Union([Type.Number({ exclusiveMinimum: 0 }), Type.String({ pattern: '^[0-9]+(\\.[0-9]+)?([kMGTPE]i?|m)?$' })], {
    default: value,
  });

/** The longest log of a rule: a Pod remembers it in an annotation, and those hold 256 KiB in all. */
const longestLog = 32_768;
const longestTerminationMessage = 4_096;
const secondsOfAYear = 31_536_000;

const node = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$', maxLength: 63 }),
    region: Type.Optional(Type.String(dnsLabel)),
    tags: Type.Array(Type.String({ ...dnsLabel, maxLength: 40 }), { default: [] }),
    reserved: Type.Optional(Type.String({ ...dnsLabel, maxLength: 40 })),
    cpu: quantity('16'),
    memory: quantity('64Gi'),
    pods: Type.Integer({ minimum: 0, default: 110 }),
  },
  closed,
);

/** Why a container never starts. */
const neverStarted = [
  'ImagePullBackOff',
  'ErrImagePull',
  'InvalidImageName',
  'CreateContainerConfigError',
  'CreateContainerError',
] as const;

const match = Type.Object(
  {
    labels: Type.Optional(Type.Record(Type.String(), Type.String())),
    name: Type.Optional(Type.String()),
    image: Type.Optional(Type.String()),
    container: Type.Optional(Type.String()),
  },
  closed,
);

const rule = Type.Object(
  {
    match,
    afterSeconds: Type.Optional(Type.Number({ minimum: 0, maximum: secondsOfAYear })),
    exitCode: Type.Optional(Type.Integer({ minimum: 0, maximum: 255 })),
    terminationMessage: Type.Optional(Type.String({ maxLength: longestTerminationMessage })),
    log: Type.Optional(Type.String({ maxLength: longestLog })),
    fails: Type.Optional(Type.Integer({ minimum: 0 })),
    hang: Type.Optional(Type.Boolean()),
    ready: Type.Optional(Type.Boolean()),
    readyAfterSeconds: Type.Optional(Type.Number({ minimum: 0, maximum: secondsOfAYear })),
    waiting: Type.Optional(Type.Union(neverStarted.map((reason) => Type.Literal(reason)))),
  },
  closed,
);

/** What each key of the ConfigMap must hold. */
export const schemas = {
  nodes: Type.Array(node),
  pods: Type.Array(rule),
  backoffSeconds: Type.Number({ minimum: 0, maximum: 3600 }),
} as const;

type Values = { readonly [K in keyof typeof schemas]: Static<(typeof schemas)[K]> };

/** What an empty key stands for. */
export const whenEmpty = { nodes: [], pods: [], backoffSeconds: 1 } as const;

/** A node to simulate. */
export type NodeEntry = Values['nodes'][number];

/** How the containers that match run; what it leaves out is as without a rule. */
export type Rule = Values['pods'][number];

export type Key = keyof Values;
export type ValueOf<K extends Key> = Values[K];
