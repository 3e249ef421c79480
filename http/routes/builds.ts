import type { RouterContext } from '@koa/router';
import type { CoreBuild } from '../../crds/coreBuild.ts';
import { newestFirst } from '../../rules/newest.ts';
import { buildsOfApp } from '../../runtime/controllers/app.ts';
import { builds } from '../../runtime/kinds.ts';
import { statesOf } from '../../runtime/step.ts';
import { answer, refuse } from '../answer.ts';
import type { BuildSummary, Done, Items } from '../api.ts';
import { keptReads, sendJson, sendRead } from '../json.ts';
import { countIn, nameIn, textIn } from '../query.ts';
import type { Routes } from '../route.ts';
import type { Serving } from '../serving.ts';
import { buildRead, buildSummary, currentBuildOf, isCurrent } from '../views/build.ts';
import { explanationOf } from '../views/explanation.ts';
import { placedMachine } from '../views/placed.ts';
import { transitionsOf } from '../views/transitions.ts';

const listed = { least: 1, most: 1000, unasked: 100 };

/** Builds, as they stand and why. */
export function buildRoutes(routes: Routes, { operator, settings, run }: Serving): void {
  const { caches } = operator;
  const placed = placedMachine(operator, settings.machines, 'build');
  const { controller, lifecycle } = placed;

  const sendBuild = keptReads((build: CoreBuild, view, also) =>
    buildRead(placed, build, { current: also === 'current', view }),
  );
  const sendTransitions = keptReads((build: CoreBuild, view) => transitionsOf(placed, build, view));

  routes.on('GET /builds', function listBuilds(ctx, { view }) {
    const app = textIn(ctx, 'app');
    const states = statesIn(ctx);
    const limit = countIn(ctx, 'limit', listed) ?? listed.unasked;
    const found = (app === undefined ? caches.list(builds) : buildsOfApp(caches, app))
      .filter(
        (build) =>
          states === null ||
          [lifecycle.read(build), lifecycle.shown(build)].some((one) => states.has(one.toLowerCase())),
      )
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

  /** States to show, in lower case; null for all. A word that is no state is refused. */
  function statesIn(ctx: RouterContext): ReadonlySet<string> | null {
    const asked = textIn(ctx, 'state')?.toLowerCase().split(',');
    if (asked === undefined) return null;
    const known = statesOf(lifecycle.machine).map((state) => state.toLowerCase());
    const strange = asked.find((state) => !known.includes(state));
    if (strange !== undefined)
      refuse(ctx, 400, `"${strange}" is no state of a build: ${statesOf(lifecycle.machine).join(', ')}`);
    return new Set(asked);
  }

  const buildIn = (ctx: RouterContext): CoreBuild => {
    const name = nameIn(ctx, 'build');
    return caches.get(builds, name) ?? refuse(ctx, 404, `build "${name}" was not found`);
  };

  routes.on('GET /builds/{build}', function readBuild(ctx, { view }) {
    const build = buildIn(ctx);
    sendBuild(ctx, build, view, isCurrent(caches, build) ? 'current' : '');
  });

  routes.on('GET /builds/{build}/transitions', function listTransitions(ctx, { view }) {
    sendTransitions(ctx, buildIn(ctx), view);
  });

  routes.on('GET /builds/{build}/explain', async function explainBuild(ctx, { view }) {
    const { name } = buildIn(ctx).metadata;
    const explained = answer(ctx, await run(operator.explain(controller, lifecycle, name)));
    sendRead(ctx, explanationOf(operator, placed, { name, explained, view }));
  });

  routes.on('POST /builds/{build}/look', async function lookAtBuild(ctx) {
    const { name } = buildIn(ctx).metadata;
    const build = answer(ctx, await run(operator.look(controller, name)));
    const note = operator.isLeading() ? 'it is looked at now' : 'whoever leads looks at it now';
    sendJson(ctx, { name, state: lifecycle.shown(build), note } satisfies Done);
  });
}
