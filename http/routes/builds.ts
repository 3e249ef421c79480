import type { RouterContext } from '@koa/router';
import { Optional as optional, Type } from '@sinclair/typebox';
import type { CoreBuild } from '../../crds/coreBuild.ts';
import type { Access } from '../auth/guard.ts';
import { orderedIn } from '../lists/ordered.ts';
import { sortedFrom } from '../lists/page.ts';
import { isFound, keptByView } from '../lists/rows.ts';
import { type ListRequest, sendList } from '../lists/send.ts';
import { sortedBy } from '../lists/sorted.ts';
import { objectName, oneOf } from '../openapi/kit.ts';
import { type Items, pages, searchQuery } from '../openapi/paging.ts';
import { read, uncached, type SuccessResponse } from '../openapi/schema.ts';
import { refuse } from '../orThrow.ts';
import { jsonText } from '../response/jsonText.ts';
import { type AnswerContext, keptReads, sendRead } from '../response.ts';
import { perContext, type Resource, route, type RouteContext } from '../route.ts';
import { sendBuildLog } from './builds/log.ts';
import {
  buildRead as buildReadShape,
  type BuildSummary,
  buildSummary as buildSummaryShape,
  logLines,
} from './builds/shapes.ts';
import { causesAnswer, explaining, instanceAnswers, reconcileRoutes } from './instance.ts';
import { foldedTransitions, foldQuery } from './machines/shapes.ts';
import { done } from './resource.ts';
import { isIn, statesIn } from '../lists/statesIn.ts';
import { buildRead, buildSummary, currentBuildOf, isCurrent } from '../views/build.ts';
import { placedOn } from '../views/placed.ts';
import type { View } from '../../rules/access/needs.ts';
import { newestPlace } from '../../rules/newest.ts';
import { buildsOfApp } from '../../runtime/controllers/app/read.ts';
import { builds } from '../../runtime/services/cluster/kinds.ts';
import { type BuildExplanation, buildExplanation } from './builds/explanation.ts';

const refusals = { 404: 'There is no such build.' } as const;
const path = { build: objectName } as const;
const log: SuccessResponse = {
  when: 'The lines; with `follow`, each as it is written.',
  content: [{ is: 'text' }, { is: 'events', events: logLines }],
};

const placed = perContext(({ operator, settings }) =>
  placedOn(operator, settings.machines, { kind: 'CoreBuild', machine: 'build' }),
);
const answers = perContext((context) => instanceAnswers(context, placed(context)));

const explainBuild = perContext((context) => {
  const explain = explaining(context, placed(context));
  return async (ctx: AnswerContext<BuildExplanation>, build: CoreBuild, view: View): Promise<void> => {
    const one = await explain(ctx, build, view);
    sendRead(ctx, { ...one, ...causesAnswer(context, builds.kind, build, view), items: [one] });
  };
});

const buildIn = (ctx: RouterContext, { caches }: RouteContext, name: string): CoreBuild =>
  caches.get(builds, name) ?? refuse(ctx, 404, `build "${name}" was not found`);

/** Builds, with their states, explanations and logs. */
export const buildRoutes = {
  'GET /builds': route(
    {
      group: 'Builds',
      summary: 'Lists builds, newest first.',
      path: {},
      query: Type.Object({
        app: optional(Type.String({ description: 'Only builds of this service.' })),
        state: optional(Type.String({ description: 'One or more states, separated by commas.' })),
        ...searchQuery,
      }),
      ...pages(buildSummaryShape, 'The builds.'),
    },
    listBuilds,
  ),
  'GET /builds/{build}': route(
    {
      group: 'Builds',
      summary: 'Reads a build with its spec and status.',
      path,
      answers: read(buildReadShape, 'The build.'),
      refusals,
    },
    (context) => {
      const { caches } = context;
      const send = keptReads((build: CoreBuild, view, also) =>
        buildRead(placed(context), build, { current: also === 'current', view, gitUrl: context.settings.gitUrl }),
      );
      return (ctx, { view }, { path }) => {
        const build = buildIn(ctx, context, path.build);
        send(ctx, build, view, isCurrent(caches, build) ? 'current' : '');
      };
    },
  ),
  'GET /builds/{build}/transitions': route(
    {
      group: 'Builds',
      summary: 'Lists the recorded transitions of a build, oldest first.',
      path,
      query: foldQuery,
      answers: read(foldedTransitions, 'The transitions, each with its row of the table.'),
      refusals,
    },
    (context) =>
      (ctx, { view }, { path, query }) =>
        answers(context).transitions(ctx, buildIn(ctx, context, path.build), view, query.fold),
  ),
  'GET /builds/{build}/explain': route(
    {
      group: 'Builds',
      summary: 'Explains why a build is in its state, and what happens next.',
      path,
      answers: read(buildExplanation, 'The causes, and the decision with its facts.'),
      refusals,
    },
    (context) =>
      (ctx, { view }, { path }) =>
        explainBuild(context)(ctx, buildIn(ctx, context, path.build), view),
  ),
  'GET /builds/{build}/log': route(
    {
      group: 'Builds',
      summary: 'Reads the log of a build, or follows it as server-sent events.',
      path,
      query: Type.Object({
        container: optional(oneOf('builder', 'git')),
        tail: optional(
          Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Only this many of the newest lines.' }),
        ),
        follow: optional(Type.Boolean()),
      }),
      answers: { 200: log },
      refusals: { 404: 'There is no such build, or its log does not exist yet or no longer.' },
    },
    (context) =>
      (ctx, _, { path, query }) =>
        sendBuildLog(ctx, context, buildIn(ctx, context, path.build), query),
  ),
  ...reconcileRoutes(
    '/builds/{build}',
    {
      group: 'Builds',
      summary: 'Reconciles a build now.',
      path,
      answers: { 200: uncached(done, 'A pass is requested.') },
      refusals,
    },
    (context) =>
      (ctx, _, { path }) =>
        answers(context).reconcile(ctx, buildIn(ctx, context, path.build)),
  ),
} satisfies Resource;

interface BuildQuery extends ListRequest {
  readonly access: Access;
  readonly query: ListRequest['query'] & { readonly app?: string; readonly state?: string; readonly search?: string };
}

/** Makes the list of builds: of all, or of one service. */
function listBuilds(
  context: RouteContext,
): (ctx: AnswerContext<Items<BuildSummary>>, access: Access, request: Pick<BuildQuery, 'query'>) => void {
  const { caches } = context;
  const { gitUrl } = context.settings;
  const { lifecycle } = placed(context);
  const sorted = orderedIn(caches.of(builds), newestPlace);
  const rowsWith = (current: boolean) =>
    keptByView((build: CoreBuild, view: View) =>
      jsonText(buildSummary(placed(context), build, { current, view, gitUrl })),
    );
  const [currentRow, otherRow] = [rowsWith(true), rowsWith(false)];
  return (ctx, access, { query }) => {
    const { app, state, search } = query;
    const states = statesIn(ctx, [lifecycle], state);
    const listed = app === undefined ? sorted() : sortedBy(buildsOfApp(caches, app), newestPlace);
    const currents = new Map<string, string | undefined>();
    const currentOf = (of: string) => {
      if (!currents.has(of)) currents.set(of, currentBuildOf(caches, of)?.metadata.name);
      return currents.get(of);
    };
    sendList(ctx, context, {
      access,
      query,
      from: (after) => sortedFrom(listed, newestPlace, after),
      placeOf: newestPlace,
      isIn: (build) =>
        isFound([build.metadata.name], search) &&
        isIn(states, { state: lifecycle.read(build), shown: lifecycle.shown(build) }),
      text: (build) => (currentOf(build.spec.app) === build.metadata.name ? currentRow : otherRow)(build, access.view),
    });
  };
}
