import { Optional as optional, Type } from '@sinclair/typebox';
import { causes } from './cause.ts';
import { conditions, defineKind, history, type ObjectOf, observedGeneration, shape } from './kind.ts';
import { objectStorePhases } from './objectStoreStates.ts';
import { provision, reconcileRetry } from './provisioning.ts';

/** An object store: a bucket of a project, or the cluster's server on which buckets are created. */
export const coreObjectStore = defineKind({
  kind: 'CoreObjectStore',
  plural: 'coreobjectstores',
  shortNames: ['cos'],
  describes: "An object store: a project's bucket, or the cluster's object-store server.",
  columns: [
    { name: 'Project', type: 'string', jsonPath: '.spec.project' },
    { name: 'Mode', type: 'string', jsonPath: '.spec.mode' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
    { name: 'Cause', type: 'string', jsonPath: '.status.causes[0].reason' },
    { name: 'Bucket', type: 'string', jsonPath: '.status.bucket' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'Why', type: 'string', jsonPath: '.status.causes[0].message', priority: 1 },
  ],
  spec: Type.Object(
    {
      project: optional(shape.text('Owning project; empty for the server of the cluster.')),
      environment: optional(shape.dnsLabel('Environment of the project.', 63)),
      mode: shape.choice("`Bucket` is a project's bucket, `Server` the cluster's own object-store server.", [
        'Server',
        'Bucket',
      ]),
      serverRef: optional(shape.reference('CoreObjectStore with mode `Server` that the bucket is made on.')),
      bucket: optional(shape.bucket('Name of the bucket.')),
      connectionRef: optional(shape.reference('CoreCloudConnection of the account that the bucket is made in.')),
      region: optional(shape.text('Cloud region of the bucket.')),
      storageSize: optional(shape.quantity('Disk of the server.')),
      deploy: Type.Object(
        { enabled: shape.flag('False while the store is a draft; a deploy sets it.', { default: false }) },
        { description: 'Whether the store is brought about.', default: {} },
      ),
    },
    {
      'x-kubernetes-validations': [
        {
          rule: '!(has(self.serverRef) && has(self.connectionRef))',
          message: 'set either serverRef or connectionRef, not both',
        },
      ],
    },
  ),
  status: Type.Object({
    phase: optional(shape.choice('Where its life stands.', objectStorePhases)),
    bucket: optional(shape.text('The bucket.')),
    endpoint: optional(shape.text('Full address of the S3 API.')),
    credentialSecret: optional(
      shape.text('Secret in core-system with the keys `ACCESS_KEY_ID` and `ACCESS_SECRET_KEY`.'),
    ),
    deployRevision: optional(shape.text('The newest deploy that the controller has taken up.')),
    reconcileRetry: optional(reconcileRetry),
    provision: optional(provision),
    conditions: optional(conditions),
    observedGeneration: optional(observedGeneration),
    causes: optional(causes),
    history: optional(history),
  }),
});

export type CoreObjectStore = ObjectOf<typeof coreObjectStore>;
export type ObjectStoreSpec = CoreObjectStore['spec'];
