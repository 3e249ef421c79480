import type { ResourceType } from '../kinds/type.ts';
import { builtInSchema } from '../schema/builtIn.ts';
import type { Schema } from '../schema/schema.ts';
import { resourceOf } from '../status.ts';
import type { Typed } from './shape.ts';

const text: Schema = { type: 'string' };
const texts: Schema = { type: 'object', additionalProperties: text };
const reference: Schema = {
  type: 'object',
  'x-kubernetes-map-type': 'atomic',
  properties: {
    apiVersion: text,
    kind: text,
    name: text,
    uid: text,
    controller: { type: 'boolean' },
    blockOwnerDeletion: { type: 'boolean' },
  },
};

/** The metadata that every object has. */
const metadata: Schema = {
  type: 'object',
  properties: {
    name: text,
    generateName: text,
    namespace: text,
    selfLink: text,
    uid: text,
    resourceVersion: text,
    generation: { type: 'integer' },
    creationTimestamp: text,
    deletionTimestamp: text,
    deletionGracePeriodSeconds: { type: 'integer' },
    labels: texts,
    annotations: texts,
    ownerReferences: {
      type: 'array',
      items: reference,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
    },
    finalizers: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    managedFields: { type: 'array', 'x-kubernetes-list-type': 'atomic' },
  },
};

const roots = new WeakMap<ResourceType, Typed>();

/** The objects of a resource as their fields are managed. */
export function rootOf(type: ResourceType): Typed {
  const known = roots.get(type);
  if (known) return known;
  const schema = type.custom?.schema ?? builtInSchema(resourceOf(type.bucket).group, type.kind);
  const root: Typed = { schema: schema && whole(schema) };
  roots.set(type, root);
  return root;
}

const whole = (schema: Schema): Schema => ({
  ...schema,
  properties: { ...schema.properties, apiVersion: text, kind: text, metadata },
});

/** A scale as its fields are managed: the replicas are all there is. */
export const scaleRoot: Typed = {
  schema: {
    type: 'object',
    properties: {
      apiVersion: text,
      kind: text,
      metadata,
      spec: { type: 'object', properties: { replicas: { type: 'integer' } } },
      status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  },
};
