import type { RouterContext } from '@koa/router';
import type { CoreBuild } from '../../crds/coreBuild.ts';
import { newestFirst } from '../../rules/newest.ts';
import { buildsOfApp } from '../../runtime/controllers/app/builds.ts';
import { builds } from '../../runtime/kinds.ts';
import { refuse } from '../answer.ts';
import type { BuildSummary, Items } from '../api.ts';
import { instanceAnswers } from '../instances.ts';
import { keptReads, sendRead } from '../json.ts';
import type { Routes } from '../route.ts';
import type { Serving } from '../serving.ts';
import { isIn, statesIn } from '../states.ts';
import { buildRead, buildSummary, currentBuildOf, isCurrent } from '../views/build.ts';
import { placedOn } from '../views/placed.ts';

const listedUnasked = 100;

interface Named {
  readonly path: { readonly build: string };
}

/** Builds, with their states and explanations. */
export function buildRoutes(routes: Routes, serving: Serving): void {
  const { operator, settings } = serving;
  const { caches } = operator;
  const placed = placedOn(operator, settings.machines, { kind: 'CoreBuild', machine: 'build' });
  const { lifecycle } = placed;
  const { explain, transitions, look } = instanceAnswers(serving, placed);

  const sendBuild = keptReads((build: CoreBuild, view, also) =>
    buildRead(placed, build, { current: also === 'current', view }),
  );

  routes.on('GET /builds', function listBuilds(ctx, { view }, { query: { app, state, limit = listedUnasked } }) {
    const states = statesIn(ctx, [lifecycle], state);
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
    transitions(ctx, buildIn(ctx, asked), view);
  });

  routes.on('GET /builds/{build}/explain', function explainBuild(ctx, { view }, asked) {
    return explain(ctx, buildIn(ctx, asked), view);
  });

  routes.on('POST /builds/{build}/look', function lookAtBuild(ctx, _, asked) {
    return look(ctx, buildIn(ctx, asked));
  });
}
