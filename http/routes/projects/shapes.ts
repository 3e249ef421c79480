import { Optional as optional, Type } from '@sinclair/typebox';
import { coreProject, type ProjectSpec } from '../../../crds/coreProject.ts';
import { text } from '../../openapi/kit.ts';
import { requestedFields } from '../../openapi/requestedFields.ts';

/** The schema of our resource, with the types of its fields. */
const { network = {} } = requestedFields(coreProject.spec, []);
const networkRequest = Type.Unsafe<Partial<NonNullable<ProjectSpec['network']>>>(network);

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const region = Type.String({
  pattern: `^(${label})?$`,
  maxLength: 40,
  description: "Nodes it runs on; the cluster's default region when empty.",
});
const displayName = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Stored as lowercase words with hyphens.',
});

export const projectRequest = Type.Object(
  {
    displayName: optional(displayName),
    region: optional(region),
    cluster: optional(text('A CoreCluster; the only one, or the default one, when left out.')),
  },
  { title: 'ProjectAsked' },
);

export const projectSettings = Type.Object(
  { displayName: optional(displayName), region: optional(region), network: optional(networkRequest) },
  { title: 'ProjectSettings' },
);

export const environmentRequest = Type.Object({ name: text('Lowercase letters, digits and hyphens.') });
