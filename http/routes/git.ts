import type { RouterContext } from '@koa/router';
import { Optional as optional, Type } from '@sinclair/typebox';
import { Effect, Result } from 'effect';
import type { CoreGitHostConnection } from '../../crds/coreGitHostConnection.ts';
import type { PullRequestEntry } from '../../crds/coreProject.ts';
import { sendInOrder, sendSorted } from '../lists/items.ts';
import { itemsOf, objectName, oneOf, orNull, type ReadonlyStatic, text, time } from '../openapi/kit.ts';
import { pageQuery, pages } from '../openapi/paging.ts';
import { read, uncached } from '../openapi/schema.ts';
import { alreadyExists, orThrow, refuse, savedOrThrow } from '../orThrow.ts';
import { projectChanges, projectIn } from './projects/change.ts';
import { sendJson } from '../response.ts';
import { type Resource, route, type RouteContext } from '../route.ts';
import { resourceRead } from './resource.ts';
import { projectRead } from '../views/project.ts';
import { conditionOf } from '../../rules/condition.ts';
import { changed } from '../../rules/project/change.ts';
import { connected, connectionOf, disconnected, newConnection } from '../../rules/project/git.ts';
import { prEnvironmentsSaved } from '../../rules/project/prEnvironments.ts';
import { pullRequestState } from '../../rules/pullRequestEnvironment/state.ts';
import { redacted } from '../../rules/redaction/redact.ts';
import { changeSecret } from '../../runtime/cache/secret.ts';
import { applicationIn, refusalOf } from '../../runtime/controllers/gitHostConnection/read.ts';
import { connections } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { GitHost } from '../../runtime/services/gitHost.ts';
import { secretText } from '../../runtime/services/secretText.ts';

const id = Type.Integer({ minimum: 1, description: 'An installation of the application at the Git host.' });

const installation = Type.Object({ id, account: text('The owner of the repositories.') }, { title: 'GitInstallation' });
/** GET /api/v1/git/installations */
export type GitInstallation = ReadonlyStatic<typeof installation>;

const installationRequest = Type.Object({ installationID: id });

const repository = Type.Object(
  {
    name: text('`owner/name`.'),
    defaultBranch: text(),
    private: Type.Boolean(),
  },
  { title: 'GitRepository' },
);
/** GET /api/v1/projects/{project}/git/repositories */
export type GitRepository = ReadonlyStatic<typeof repository>;

const prEnvironmentsRequest = Type.Object({
  enabled: Type.Boolean(),
  baseEnvironment: optional(text('The environment that is copied; the first one when empty.')),
  maxOpen: optional(Type.Integer({ minimum: 1, maximum: 25, description: 'Most of them at a time.' })),
});

const pullRequestItem = Type.Object(
  {
    number: Type.Integer(),
    branch: text(),
    targetBranch: text(),
    environment: text(),
    state: oneOf('Opening', 'Open', 'Closing'),
    openedAt: orNull(time('When its environment was made.')),
    repository: text('`owner/name`; empty for those who may not read it.'),
    url: text('Its address at the Git host; empty for those who may not read it.'),
  },
  { title: 'PullRequest' },
);
/** GET /api/v1/projects/{project}/pull-requests */
export type PullRequestItem = ReadonlyStatic<typeof pullRequestItem>;

const group = 'Projects';
const path = { project: objectName };
const refusals = { 404: 'There is no such project.', 409: 'It is being deleted.' } as const;

/** Which accounts the platform's application may read, and the link of a project to one of them (document 001). */
export const gitRoutes = {
  'GET /git/installations': route(
    {
      group,
      summary: "Lists the accounts in which the platform's Git host application is installed.",
      path: {},
      answers: read(itemsOf(installation), 'The first hundred installations, as the Git host lists them.'),
      refusals: { 409: 'The platform has no Git host application.', 502: 'The Git host does not answer.' },
    },
    ({ run, caches }) =>
      async function listInstallations(ctx) {
        const application = applicationIn(caches);
        if (application.appId === '') return refuse(ctx, 409, 'the platform has no Git host application');
        const answer = orThrow(ctx, await run(Effect.flatMap(GitHost, (host) => host.installations(application))));
        if (answer.is !== 'found') return refuse(ctx, 502, refusalOf(answer));
        return sendJson(ctx, { items: answer.value });
      },
  ),
  'POST /projects/{project}/git/connect': route(
    {
      group,
      summary: "Links a project to the Git host, as an installation of the platform's application.",
      path,
      body: { schema: installationRequest },
      answers: { 200: uncached(resourceRead, 'The project with its link.') },
      refusals: {
        ...refusals,
        409: 'It is being deleted, or the name of its connection is taken.',
        502: 'The Git host does not answer whether there is such an installation.',
      },
    },
    (context) => {
      const { run, caches } = context;
      return async function connectProject(ctx, { view }, { path, body }) {
        // A refusal comes before anything is written, and the connection before the project names it.
        await projectChanges(context)(ctx, path.project, () => changed(null));
        await checkInstallation(ctx, context, body.installationID);
        const { spec } = await link(ctx, context, path.project, body.installationID);
        const given = changeSecret(caches, spec.secretRef.name, (secret) => ({
          keys: secret ? null : { token: '' },
          result: null,
        }));
        orThrow(ctx, await run(given));
        return sendJson(ctx, projectRead(await projectChanges(context)(ctx, path.project, connected), view));
      };
    },
  ),
  'POST /projects/{project}/git/disconnect': route(
    {
      group,
      summary: 'Takes the link to the Git host from a project; the connection and its Secret stay.',
      path,
      answers: { 200: uncached(resourceRead, 'The project without a link.') },
      refusals,
    },
    (context) =>
      async function disconnectProject(ctx, { view }, { path }) {
        return sendJson(ctx, projectRead(await projectChanges(context)(ctx, path.project, disconnected), view));
      },
  ),
  'GET /projects/{project}/git/repositories': route(
    {
      group,
      summary: 'Lists the repositories that a project may build, by name.',
      path,
      query: Type.Object(pageQuery),
      ...pages(repository, 'The first hundred repositories of its installation.', {
        404: 'There is no such project.',
        409: 'It is not linked to the Git host.',
        502: 'That does not answer.',
      }),
    },
    (context) => {
      const { run, caches } = context;
      return async function listRepositories(ctx, access, { path, query }) {
        const { spec } = projectIn(ctx, caches, path.project);
        const connection = caches.get(connections, spec.gitConnectionRef?.name ?? '');
        if (!connection) return refuse(ctx, 409, `project "${path.project}" is not linked to the Git host`);
        const token = secretText(caches.get(secrets, connection.spec.secretRef.name), 'token');
        if (token === '') {
          const why = conditionOf(connection, 'Ready')?.message ?? 'the link is new';
          return refuse(ctx, 409, `project "${path.project}" has no token of the Git host yet: ${why}`);
        }
        const answer = orThrow(ctx, await run(Effect.flatMap(GitHost, (host) => host.repositories(token))));
        if (answer.is !== 'found') return refuse(ctx, 502, refusalOf(answer));
        const items: readonly GitRepository[] = answer.value;
        return sendSorted(ctx, context, { access, query, items, placeOf: ({ name }) => [name] });
      };
    },
  ),
  'GET /projects/{project}/pull-requests': route(
    {
      group,
      summary: 'Lists the pull requests of a project that have an environment.',
      path,
      query: Type.Object(pageQuery),
      ...pages(pullRequestItem, 'The pull requests, the oldest first.', { 404: 'There is no such project.' }),
    },
    (context) => {
      const { caches } = context;
      return function listPullRequests(ctx, access, { path, query }) {
        const project = projectIn(ctx, caches, path.project);
        const visible = redacted('CoreProject', project, access.view).status.pullRequests ?? [];
        const items = (project.status?.pullRequests ?? []).map((entry, at) =>
          pullRequestView(entry, visible[at] ?? {}),
        );
        return sendInOrder(ctx, context, { access, query, items, idOf: ({ environment }) => environment });
      };
    },
  ),
  'POST /projects/{project}/pr-environments/save': route(
    {
      group,
      summary: 'Turns the environments of pull requests on or off, and says what they copy.',
      path,
      body: { schema: prEnvironmentsRequest },
      answers: { 200: uncached(resourceRead, 'The project with its new settings.') },
      refusals,
    },
    (context) =>
      async function savePrEnvironments(ctx, { view }, answer) {
        const { path, body } = answer;
        return sendJson(
          ctx,
          projectRead(await projectChanges(context)(ctx, path.project, (one) => prEnvironmentsSaved(one, body)), view),
        );
      },
  ),
} satisfies Resource;

/** Whether the platform's application is installed there, where the platform has one. */
async function checkInstallation(ctx: RouterContext, { run, caches }: RouteContext, id: number): Promise<void> {
  const application = applicationIn(caches);
  if (application.appId === '') return;
  const answer = orThrow(ctx, await run(Effect.flatMap(GitHost, (host) => host.installation(application, id))));
  if (answer.is === 'found') return;
  if (answer.is === 'refused' && answer.code === 404)
    return refuse(ctx, 400, `the platform's Git host application has no installation ${id}`);
  return refuse(ctx, 502, refusalOf(answer));
}

async function link(
  ctx: RouterContext,
  { operator, run }: RouteContext,
  project: string,
  installationID: number,
): Promise<CoreGitHostConnection> {
  const edited = await run(
    operator.edit(connections, connectionOf(project), ({ spec }) => ({
      patch: spec.installationID === installationID ? null : { spec: { installationID } },
      result: spec.project,
    })),
  );
  if (Result.isFailure(edited) && edited.failure._tag === 'NotFound')
    return savedOrThrow(ctx, await run(operator.add(connections, newConnection(project, installationID))), {
      AlreadyExists: alreadyExists('Git host connection', connectionOf(project)),
    });
  const { object, result } = savedOrThrow(ctx, edited);
  return result === project ? object : refuse(ctx, 409, `"${connectionOf(project)}" belongs to project "${result}"`);
}

/** A pull request with its state; what is hidden from its reader is empty. */
const pullRequestView = (entry: PullRequestEntry, visible: Partial<PullRequestEntry>): PullRequestItem => ({
  number: entry.number,
  branch: visible.branch ?? '',
  targetBranch: visible.targetBranch ?? '',
  environment: entry.environment,
  state: pullRequestState(entry),
  openedAt: visible.openedAt ?? null,
  repository: visible.repository ?? '',
  url: visible.url ?? '',
});
