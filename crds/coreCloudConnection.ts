import { Optional as optional, Type } from '@sinclair/typebox';
import { conditions, defineKind, type ObjectOf, observedGeneration, shape } from './kind.ts';

const address = (description: string) =>
  shape.text(description, { maxLength: 512, pattern: '^https?://[^/?#@ ]+(/[^?# ]*)?$' });

/** An address may be set later, and is immutable once set. */
const fixedOnceSet = (field: string) => ({
  rule: `!has(oldSelf.${field}) || (has(self.${field}) && self.${field} == oldSelf.${field})`,
  message: `${field} cannot be changed`,
});

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
  spec: Type.Object(
    {
      project: optional(shape.text('Project ID; only this project may use the connection, and without it nobody.')),
      provider: shape.choice('`Cloud` is an account with buckets, `ManagedDb` a provider of managed databases.', [
        'Cloud',
        'ManagedDb',
      ]),
      region: optional(shape.text('Cloud region of buckets that name none.')),
      endpoint: optional(address('Address of the S3 API; the one of AWS for the region when empty.')),
      iamEndpoint: optional(
        address(
          'Address of the IAM API. With an endpoint and without it, buckets are used with the keys of the connection.',
        ),
      ),
      secretRef: shape.reference(
        'Secret with the keys `ACCESS_KEY_ID` and `ACCESS_SECRET_KEY` for `Cloud`, `organization` and `token` for `ManagedDb`.',
      ),
    },
    { 'x-kubernetes-validations': [fixedOnceSet('endpoint'), fixedOnceSet('iamEndpoint')] },
  ),
  status: Type.Object({ conditions: optional(conditions), observedGeneration: optional(observedGeneration) }),
});

export type CoreCloudConnection = ObjectOf<typeof coreCloudConnection>;
export type CloudConnectionSpec = CoreCloudConnection['spec'];
