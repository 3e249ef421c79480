import { Type } from '@sinclair/typebox';
import { type CoreProject, coreProject } from '../../crds/coreProject.ts';
import { objectName, oneOf, type ReadonlyStatic, text } from '../openapi/kit.ts';
import { requestedFields } from '../openapi/requestedFields.ts';
import { read, uncached } from '../openapi/schema.ts';
import { projectChanges, projectIn } from './projects/change.ts';
import { sendJson, sendRead } from '../response.ts';
import { type Resource, route } from '../route.ts';
import { complianceChecked, complianceChecks, resourcesChecked } from '../../rules/project/compliance.ts';
import { tagsRequired } from '../../rules/project/tags.ts';
import type { CacheReader } from '../../runtime/cache/reader.ts';
import { complianceSeen, runningOf } from '../../runtime/controllers/project/read.ts';

const group = 'Projects';
const path = { project: objectName };
const noProject = 'There is no such project.';

const { requiredTags = {} } = requestedFields(coreProject.spec, []);
const requiredTagsRequest = Type.Unsafe<readonly string[]>(requiredTags);

const tagsRequest = Type.Required(Type.Object({ requiredTags: requiredTagsRequest }));

const compliance = Type.Object(
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

/** The node tags that everything of a project must run on: saved once every check holds, and reported on. */
export const complianceRoutes = {
  'GET /projects/{project}/compliance': route(
    {
      group,
      summary: 'Reports whether everything in a project runs on nodes with its required tags.',
      path,
      answers: read(compliance, 'The report.'),
      refusals: { 404: noProject },
    },
    ({ caches }) =>
      function readCompliance(ctx, _, { path }) {
        sendRead(ctx, reportOf(projectIn(ctx, caches, path.project), caches));
      },
  ),
  'POST /projects/{project}/compliance': route(
    {
      group,
      summary: 'Saves the tags that a node needs to run anything of a project.',
      path,
      body: { schema: tagsRequest },
      answers: { 200: uncached(compliance, 'The report with the tags that are required now.') },
      refusals: {
        404: noProject,
        409: 'A check failed, which the error names with the tag and the node or database. Nothing was saved.',
      },
    },
    (context) => {
      const { caches } = context;
      return async function saveTags(ctx, _, { path, body }) {
        const project = await projectChanges(context)(ctx, path.project, (found) =>
          tagsRequired(found, complianceSeen(found, body.requiredTags, caches)),
        );
        sendJson(ctx, reportOf(project, caches));
      };
    },
  ),
} satisfies Resource;

/** Whether the project's databases run on nodes with all the tags that it requires. */
function reportOf(project: CoreProject, reader: CacheReader): Compliance {
  const tags = project.spec.requiredTags ?? [];
  const seen = { ...complianceSeen(project, tags, reader), added: tags };
  return {
    project: project.metadata.name,
    requiredTags: tags,
    region: seen.region,
    checks: complianceChecked(seen),
    resources: resourcesChecked(runningOf(project, reader), seen),
  };
}
