import { Optional as optional, Type } from '@sinclair/typebox';
import { coreProject, type ProjectSpec } from '../../../crds/coreProject.ts';
import { complianceChecks } from '../../../rules/project/compliance.ts';
import { type ReadonlyStatic, oneOf, text } from '../../openapi/kit.ts';
import { requestedFields } from '../../openapi/requested.ts';

/** The schemas of our resource, with the types of its fields. */
const { network = {}, requiredTags = {} } = requestedFields(coreProject.spec, []);
const networkAsked = Type.Unsafe<Partial<NonNullable<ProjectSpec['network']>>>(network);
const requiredTagsAsked = Type.Unsafe<readonly string[]>(requiredTags);

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

export const projectAsked = Type.Object(
  {
    displayName: optional(displayName),
    region: optional(region),
    cluster: optional(text('A CoreCluster; the only one, or the default one, when left out.')),
  },
  { title: 'ProjectAsked' },
);

export const projectSettings = Type.Object(
  { displayName: optional(displayName), region: optional(region), network: optional(networkAsked) },
  { title: 'ProjectSettings' },
);

export const environmentAsked = Type.Object({ name: text('Lowercase letters, digits and hyphens.') });

export const sharedVariable = Type.Object(
  {
    name: text(),
    environment: text('The one environment it belongs to.'),
    kind: oneOf('config', 'secret'),
    value: optional(text('Of plain ones alone.')),
  },
  { title: 'SharedVariable' },
);
/** GET /api/v1/projects/{project}/variables?environment=, by environment and name. */
export type SharedVariableItem = ReadonlyStatic<typeof sharedVariable>;

const named = {
  environment: text('An environment of the project.'),
  name: text('Capitals, digits and underscores, such as `API_URL`.'),
};

export const variableAsked = Type.Object({
  ...named,
  value: text(),
  secret: optional(Type.Boolean({ description: 'Keeps the value in a Secret: nobody can read it here again.' })),
});
export const variableNamed = Type.Object(named);

const answered = {
  name: text('The project.'),
  key: text('The variable.'),
};
const pending = Type.Boolean({ description: 'False: changes of a project apply at once.' });

export const variableSet = Type.Object(
  { ...answered, kind: oneOf('config', 'secret'), pending },
  { title: 'SharedVariableSet' },
);
/** POST /api/v1/projects/{project}/variables/set */
export type SharedVariableSet = ReadonlyStatic<typeof variableSet>;
export const variableRemoved = Type.Object(
  { ...answered, removed: Type.Boolean({ description: 'Whether it was there.' }), pending },
  { title: 'SharedVariableRemoved' },
);
/** POST /api/v1/projects/{project}/variables/delete */
export type SharedVariableRemoved = ReadonlyStatic<typeof variableRemoved>;

export const tagsAsked = Type.Required(Type.Object({ requiredTags: requiredTagsAsked }));

export const compliance = Type.Object(
  {
    project: text(),
    requiredTags: Type.Array(text()),
    region: text('The region it runs in; empty for any.'),
    checks: Type.Array(
      Type.Object({
        check: oneOf(...complianceChecks),
        ok: Type.Boolean(),
        message: text('What is wrong; empty where nothing is.'),
      }),
    ),
    resources: Type.Array(
      Type.Object({
        kind: text(),
        name: text(),
        environment: text(),
        node: text('The node that it runs on; empty where it does not run.'),
        compliant: Type.Boolean(),
        why: text('What is wrong; empty where nothing is.'),
      }),
    ),
  },
  { title: 'Compliance' },
);
/** GET, POST /api/v1/projects/{project}/compliance */
export type Compliance = ReadonlyStatic<typeof compliance>;
