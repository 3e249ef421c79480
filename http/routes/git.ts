import type { RouterContext } from '@koa/router';
import { Effect, Result } from 'effect';
import type { CoreGitHostConnection } from '../../crds/coreGitHostConnection.ts';
import type { PullRequestEntry } from '../../crds/coreProject.ts';
import { conditionOf } from '../../rules/condition.ts';
import { changed } from '../../rules/project/change.ts';
import { prEnvironmentsSaved } from '../../rules/project/prEnvironments.ts';
import { pullRequestState } from '../../rules/pullRequestEnvironment/state.ts';
import { redacted } from '../../rules/redaction/redact.ts';
import { connected, connectionOf, disconnected, newConnection } from '../../rules/project/git.ts';
import { applicationIn, refusalOf } from '../../runtime/controllers/gitHostConnection/read.ts';
import { connections } from '../../runtime/services/cluster/kinds.ts';
import { GitHost } from '../../runtime/services/gitHost.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { changeSecret } from '../../runtime/cache/secret.ts';
import { secretText } from '../../runtime/services/secretText.ts';
import { orThrow, savedOrThrow, refuse } from '../orThrow.ts';
import type { Items } from '../openapi/paging.ts';
import type { GitInstallation, GitRepository, PullRequestItem } from '../openapi/shapes/git.ts';
import { sendJson } from '../response.ts';
import { projectChanges, projectIn } from '../projectChange.ts';
import { sendInOrder, sendSorted } from '../lists/items.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';
import { projectRead } from '../views/project.ts';

/** Which accounts the platform's application may read, and the link of a project to one of them. */
export function gitRoutes(routes: Routes, context: ServerContext): void {
  const { operator, run } = context;
  const { caches } = operator;
  const change = projectChanges(context);

  routes.on('GET /git/installations', async function listInstallations(ctx) {
    const application = applicationIn(caches);
    if (application.appId === '') return refuse(ctx, 409, 'the platform has no Git host application');
    const asked = orThrow(ctx, await run(Effect.flatMap(GitHost, (host) => host.installations(application))));
    if (asked.is !== 'found') return refuse(ctx, 502, refusalOf(asked));
    return sendJson(ctx, { items: asked.value } satisfies Items<GitInstallation>);
  });

  routes.on('POST /projects/{project}/git/connect', async function connectProject(ctx, { view }, { path, body }) {
    // A refusal comes before anything is written, and the connection before the project names it.
    await change(ctx, path.project, () => changed(null));
    await checkInstallation(ctx, body.installationID);
    const { spec } = await link(ctx, path.project, body.installationID);
    const given = changeSecret(caches, spec.secretRef.name, (secret) => ({
      keys: secret ? null : { token: '' },
      result: null,
    }));
    orThrow(ctx, await run(given));
    return sendJson(ctx, projectRead(await change(ctx, path.project, connected), view));
  });

  routes.on('POST /projects/{project}/git/disconnect', async function disconnectProject(ctx, { view }, { path }) {
    return sendJson(ctx, projectRead(await change(ctx, path.project, disconnected), view));
  });

  routes.on('GET /projects/{project}/git/repositories', async function listRepositories(ctx, access, { path, query }) {
    const { spec } = projectIn(ctx, caches, path.project);
    const connection = caches.get(connections, spec.gitConnectionRef?.name ?? '');
    if (!connection) return refuse(ctx, 409, `project "${path.project}" is not linked to the Git host`);
    const token = secretText(caches.get(secrets, connection.spec.secretRef.name), 'token');
    if (token === '') {
      const why = conditionOf(connection, 'Ready')?.message ?? 'the link is new';
      return refuse(ctx, 409, `project "${path.project}" has no token of the Git host yet: ${why}`);
    }
    const asked = orThrow(ctx, await run(Effect.flatMap(GitHost, (host) => host.repositories(token))));
    if (asked.is !== 'found') return refuse(ctx, 502, refusalOf(asked));
    const items: readonly GitRepository[] = asked.value;
    return sendSorted(ctx, context, { access, query, items, placeOf: ({ name }) => [name] });
  });

  routes.on('GET /projects/{project}/pull-requests', function listPullRequests(ctx, access, { path, query }) {
    const project = projectIn(ctx, caches, path.project);
    const visible = redacted('CoreProject', project, access.view).status.pullRequests ?? [];
    const items = (project.status?.pullRequests ?? []).map((entry, at) => pullRequestTold(entry, visible[at] ?? {}));
    return sendInOrder(ctx, context, { access, query, items, idOf: ({ environment }) => environment });
  });

  routes.on('POST /projects/{project}/pr-environments/save', async function savePrEnvironments(ctx, { view }, asked) {
    const { path, body } = asked;
    return sendJson(ctx, projectRead(await change(ctx, path.project, (one) => prEnvironmentsSaved(one, body)), view));
  });

  /** Whether the platform's application is installed there, where the platform has one. */
  async function checkInstallation(ctx: RouterContext, id: number): Promise<void> {
    const application = applicationIn(caches);
    if (application.appId === '') return;
    const asked = orThrow(ctx, await run(Effect.flatMap(GitHost, (host) => host.installation(application, id))));
    if (asked.is === 'found') return;
    if (asked.is === 'refused' && asked.code === 404)
      return refuse(ctx, 400, `the platform's Git host application has no installation ${id}`);
    return refuse(ctx, 502, refusalOf(asked));
  }

  async function link(ctx: RouterContext, project: string, installationID: number): Promise<CoreGitHostConnection> {
    const edited = await run(
      operator.edit(connections, connectionOf(project), ({ spec }) => ({
        patch: spec.installationID === installationID ? null : { spec: { installationID } },
        result: spec.project,
      })),
    );
    if (Result.isFailure(edited) && edited.failure._tag === 'NotFound')
      return savedOrThrow(ctx, await run(operator.add(connections, newConnection(project, installationID))));
    const { object, result } = savedOrThrow(ctx, edited);
    return result === project ? object : refuse(ctx, 409, `"${connectionOf(project)}" belongs to project "${result}"`);
  }
}

/** A pull request with its state; what is hidden from its reader is empty. */
const pullRequestTold = (entry: PullRequestEntry, visible: Partial<PullRequestEntry>): PullRequestItem => ({
  number: entry.number,
  branch: visible.branch ?? '',
  targetBranch: visible.targetBranch ?? '',
  environment: entry.environment,
  state: pullRequestState(entry),
  openedAt: visible.openedAt ?? null,
  repository: visible.repository ?? '',
  url: visible.url ?? '',
});
