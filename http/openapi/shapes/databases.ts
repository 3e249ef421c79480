import { Optional as optional, Type } from '@sinclair/typebox';
import { coreDatabase } from '../../../crds/coreDatabase.ts';
import { states } from '../../../rules/state.ts';
import { oneOf, text } from '../kit.ts';
import { requestedFields } from '../requested.ts';
import { summary } from './builds.ts';

const flag = (description: string) => optional(Type.Boolean({ description }));

/** Deploys are controlled by `draft` and `deploy`; restores and the shared server have routes of their own. */
const specFields = requestedFields(coreDatabase.spec, ['deploy', 'restoreFrom', 'serverRegion']);

/** A new database: its project and environment, and any field of its spec. */
export const databaseAsked = Type.Object(
  {
    ...specFields,
    project: text('The project it belongs to.'),
    environment: text('One of the environments of the project.'),
    name: optional(text('At most 50 lowercase letters, digits and hyphens; made up when left out.')),
    draft: flag('Saves a draft, which is what happens when neither this nor `deploy` is sent.'),
    deploy: flag('Deploys it at once; refused before anything is saved where the cluster has no room.'),
  },
  { title: 'DatabaseAsked' },
);

export const deleted = Type.Object({ name: text(), kind: text(), deleted: Type.Literal(true) }, { title: 'Deleted' });

export const created = Type.Object(
  {
    name: text(),
    kind: text(),
    project: text(),
    environment: text(),
    deployed: Type.Boolean(),
    draft: Type.Boolean(),
    resource: summary,
  },
  { title: 'Created' },
);

export const deployed = Type.Object(
  {
    name: text(),
    kind: text(),
    deployed: Type.Literal(true),
    deployment: text('The name of its record; empty for databases.'),
    state: oneOf(...states),
    note: optional(text()),
  },
  { title: 'Deployed' },
);
