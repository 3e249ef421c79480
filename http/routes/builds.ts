import type { RouterContext } from '@koa/router';
import type { CoreBuild } from '../../crds/coreBuild.ts';
import { newestFirst } from '../../rules/newest.ts';
import { buildsOfApp } from '../../runtime/controllers/app/controller.ts';
import { builds } from '../../runtime/kinds.ts';
import { answer, refuse } from '../answer.ts';
import type { BuildSummary, Done, Explanation, Items } from '../api.ts';
import { keptReads, sendJson, sendRead } from '../json.ts';
import type { Routes } from '../route.ts';
import type { Serving } from '../serving.ts';
import { isIn, statesIn } from '../states.ts';
import { buildRead, buildSummary, currentBuildOf, isCurrent } from '../views/build.ts';
import { explanationOf } from '../views/explanation.ts';
import { branchLookOf } from '../views/passes.ts';
import { placedMachine } from '../views/placed.ts';
import { transitionsOf } from '../views/transitions.ts';

const listedUnasked = 100;

interface Named {
  readonly path: { readonly build: string };
}

/** Builds, as they stand and why. */
export function buildRoutes(routes: Routes, { operator, settings, run }: Serving): void {
  const { caches } = operator;
  const placed = placedMachine(operator, settings.machines, 'build');
  const { controller, lifecycle } = placed;

  const sendBuild = keptReads((build: CoreBuild, view, also) =>
    buildRead(placed, build, { current: also === 'current', view }),
  );
  const sendTransitions = keptReads((build: CoreBuild, view) => transitionsOf(placed, build, view));

  routes.on('GET /builds', function listBuilds(ctx, { view }, { query: { app, state, limit = listedUnasked } }) {
    const states = statesIn(ctx, lifecycle, state);
    const found = (app === undefined ? caches.list(builds) : buildsOfApp(caches, app))
      .filter((build) => isIn(states, { state: lifecycle.read(build), shown: lifecycle.shown(build) }))
      .toSorted(newestFirst)
      .slice(0, limit);
    const currents = new Map<string, string | undefined>();
    for (const { spec } of found)
      if (!currents.has(spec.app)) currents.set(spec.app, currentBuildOf(caches, spec.app)?.metadata.name);
    const items = found.map((build) =>
      buildSummary(placed, build, { current: currents.get(build.spec.app) === build.metadata.name, view }),
    );
    sendRead(ctx, { items } satisfies Items<BuildSummary>);
  });

  const buildIn = (ctx: RouterContext, { path: { build: name } }: Named): CoreBuild =>
    caches.get(builds, name) ?? refuse(ctx, 404, `build "${name}" was not found`);

  routes.on('GET /builds/{build}', function readBuild(ctx, { view }, asked) {
    const build = buildIn(ctx, asked);
    sendBuild(ctx, build, view, isCurrent(caches, build) ? 'current' : '');
  });

  routes.on('GET /builds/{build}/transitions', function listTransitions(ctx, { view }, asked) {
    sendTransitions(ctx, buildIn(ctx, asked), view);
  });

  routes.on('GET /builds/{build}/explain', async function explainBuild(ctx, { view }, asked) {
    const build = buildIn(ctx, asked);
    const { name } = build.metadata;
    const explained = answer(ctx, await run(operator.explain(controller, lifecycle, name)));
    const explanation = explanationOf(operator, placed, { name, explained, view });
    sendRead(ctx, { ...explanation, ...branchLookOf(operator, build) } satisfies Explanation);
  });

  routes.on('POST /builds/{build}/look', async function lookAtBuild(ctx, _, asked) {
    const { name } = buildIn(ctx, asked).metadata;
    const build = answer(ctx, await run(operator.look(controller, name)));
    const note = operator.isLeading() ? 'it is looked at now' : 'whoever leads looks at it now';
    sendJson(ctx, { name, state: lifecycle.shown(build), note } satisfies Done);
  });
}
