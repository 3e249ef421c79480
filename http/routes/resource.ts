import { Optional as optional, Type } from '@sinclair/typebox';
import { states } from '../../rules/state.ts';
import { type ReadonlyStatic, anyFields, oneOf, text } from '../openapi/kit.ts';
import { worstCause } from './cause.ts';

/** What a caller may do. */
export const role = oneOf('admin', 'observer', 'viewer');

/** A service in every list and read; a redacted copy omits what its reader may not see. */
export const summary = Type.Object(
  {
    kind: text(),
    name: text(),
    displayName: text(),
    project: text(),
    environment: text(),
    state: oneOf(...states),
    message: text(),
    createdAt: text('A time.'),
    url: text(),
    cause: worstCause,
    details: anyFields,
  },
  { title: 'Summary' },
);
/** GET /api/v1/apps, /api/v1/apps/{name} (decision 23). */
export type Summary = ReadonlyStatic<typeof summary>;

export const resourceRead = Type.Object(
  { resource: summary, spec: anyFields, status: anyFields },
  { title: 'ResourceRead' },
);
export type Read = ReadonlyStatic<typeof resourceRead>;

export const done = Type.Object(
  {
    name: text('The name of the object that was acted on.'),
    state: text('Its current state, in words.'),
    note: optional(text()),
  },
  { title: 'Done' },
);
/** POST actions respond with what they did. */
export type Done = ReadonlyStatic<typeof done>;

/** What names a database, a logical database or an object store. */
export const dependent = Type.Object(
  {
    kind: text(),
    name: text(),
    project: text(),
    environment: text(),
    by: oneOf('connection', 'server', 'logs'),
  },
  { title: 'Dependent' },
);
/** GET …/{name}/dependents of a database, a logical database or an object store. */
export type Dependent = ReadonlyStatic<typeof dependent>;

export const deleted = Type.Object({ name: text(), kind: text(), deleted: Type.Literal(true) }, { title: 'Deleted' });
/** DELETE /api/v1/databases/{database}?confirmName=: the deletion has begun. */
export type Deleted = ReadonlyStatic<typeof deleted>;

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
/** POST /api/v1/databases: a draft, or deployed at once. */
export type Created = ReadonlyStatic<typeof created>;

export const deployed = Type.Object(
  {
    name: text(),
    kind: text(),
    deployed: Type.Literal(true),
    deployment: text('The name of the deployment record; empty for databases.'),
    state: oneOf(...states),
    note: optional(text()),
  },
  { title: 'Deployed' },
);
/** POST /api/v1/databases/{database}/deploy: the deploy is saved, and the operator picks it up. */
export type Deployed = ReadonlyStatic<typeof deployed>;

export const change = Type.Object(
  {
    path: text('`spec.port`, for instance.'),
    kind: oneOf('settings', 'variables'),
    deployed: Type.Unknown({ description: 'What runs; null where it has none, and for secrets.' }),
    saved: Type.Unknown({ description: 'What waits; the same.' }),
  },
  { title: 'Change' },
);
/** GET /api/v1/apps/{app}/changes: what waits against what runs. */
export type Change = ReadonlyStatic<typeof change>;
