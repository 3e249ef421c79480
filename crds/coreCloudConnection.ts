import { Optional as optional, Type } from '@sinclair/typebox';
import { conditions, defineKind, type ObjectOf, shape } from './kind.ts';

/** A project's link to an account outside the cluster. */
export const coreCloudConnection = defineKind({
  kind: 'CoreCloudConnection',
  plural: 'corecloudconnections',
  shortNames: ['ccc'],
  describes: "A project's link to a cloud account, which buckets are made in, or to a provider of managed databases.",
  columns: [
    { name: 'Project', type: 'string', jsonPath: '.spec.project' },
    { name: 'Provider', type: 'string', jsonPath: '.spec.provider' },
    { name: 'Region', type: 'string', jsonPath: '.spec.region' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  spec: Type.Object({
    project: optional(shape.text('Project ID; only this project may use the connection, and without it nobody.')),
    provider: shape.choice('`Cloud` is an account with buckets, `ManagedDb` a provider of managed databases.', [
      'Cloud',
      'ManagedDb',
    ]),
    region: optional(shape.text('Cloud region of buckets that name none.')),
    secretRef: shape.reference(
      'Secret with the keys `ACCESS_KEY_ID` and `ACCESS_SECRET_KEY` for `Cloud`, `organization` and `token` for `ManagedDb`.',
    ),
  }),
  status: Type.Object({ conditions: optional(conditions) }),
});

export type CoreCloudConnection = ObjectOf<typeof coreCloudConnection>;
export type CloudConnectionSpec = CoreCloudConnection['spec'];
export type CloudConnectionStatus = NonNullable<CoreCloudConnection['status']>;
