import type { RouterContext } from '@koa/router';
import type { CoreBuild } from '../../crds/coreBuild.ts';
import { newestPlace } from '../../rules/newest.ts';
import { buildsOfApp } from '../../runtime/controllers/app/read.ts';
import type { View } from '../../rules/access/needs.ts';
import { builds } from '../../runtime/services/cluster/kinds.ts';
import { refuse } from '../orThrow.ts';
import { instanceAnswers } from '../instances.ts';
import { keptReads } from '../response.ts';
import { orderedIn } from '../lists/ordered.ts';
import { sortedFrom } from '../lists/page.ts';
import { isFound, keptByView } from '../lists/rows.ts';
import { sendList } from '../lists/send.ts';
import { sortedBy } from '../lists/sorted.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';
import { isIn, statesIn } from '../states.ts';
import { buildRead, buildSummary, currentBuildOf, isCurrent } from '../views/build.ts';
import { placedOn } from '../views/placed.ts';

interface Named {
  readonly path: { readonly build: string };
}

/** Builds, with their states and explanations. */
export function buildRoutes(routes: Routes, context: ServerContext): void {
  const { operator, settings } = context;
  const { caches } = operator;
  const placed = placedOn(operator, settings.machines, { kind: 'CoreBuild', machine: 'build' });
  const { lifecycle } = placed;
  const { explain, transitions, look } = instanceAnswers(context, placed);

  const sendBuild = keptReads((build: CoreBuild, view, also) =>
    buildRead(placed, build, { current: also === 'current', view }),
  );

  const sorted = orderedIn(caches.of(builds), newestPlace);
  const rowsWith = (current: boolean) =>
    keptByView((build: CoreBuild, view: View) => JSON.stringify(buildSummary(placed, build, { current, view })));
  const [currentRow, otherRow] = [rowsWith(true), rowsWith(false)];

  routes.on('GET /builds', function listBuilds(ctx, access, { query }) {
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
