import type { CoreProject } from '../../crds/coreProject.ts';
import { complianceChecked, resourcesChecked } from '../../rules/project/compliance.ts';
import { tagsRequired } from '../../rules/project/tags.ts';
import type { CacheReader } from '../../runtime/cache/reader.ts';
import { complianceSeen, runningOf } from '../../runtime/controllers/project/read.ts';
import type { Compliance } from './projects/shapes.ts';
import { sendJson, sendRead } from '../response.ts';
import { projectChanges, projectIn } from '../projectChange.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';

/** The node tags that everything of a project must run on: saved once every check holds, and reported on. */
export function complianceRoutes(routes: Routes, context: ServerContext): void {
  const { caches } = context.operator;
  const change = projectChanges(context);

  routes.on('GET /projects/{project}/compliance', function readCompliance(ctx, _, { path }) {
    sendRead(ctx, reportOf(projectIn(ctx, caches, path.project), caches));
  });

  routes.on('POST /projects/{project}/compliance', async function saveTags(ctx, _, { path, body }) {
    const project = await change(ctx, path.project, (found) =>
      tagsRequired(found, complianceSeen(found, body.requiredTags, caches)),
    );
    sendJson(ctx, reportOf(project, caches));
  });
}

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
