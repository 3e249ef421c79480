import type { RouterContext } from '@koa/router';
import { msOf } from '../../rules/time.ts';
import { refuse } from '../answer.ts';
import type { Instance, Instances, Items, Machine, Traces } from '../api.ts';
import { sendRead } from '../json.ts';
import type { Asked } from '../openapi/schemas.ts';
import type { Routes } from '../route.ts';
import type { Serving } from '../serving.ts';
import { isIn, statesIn } from '../states.ts';
import { instanceOf } from '../views/instance.ts';
import { isRestingState, machineOf } from '../views/machine.ts';
import { objectsOf, type Placed, placedMachines } from '../views/placed.ts';
import { traceOf } from '../views/transitions.ts';

const listedAtMost = 10_000;

type Filter = Asked<'GET /machines/{machine}/instances'>['query'];

interface Named {
  readonly path: { readonly machine: string };
}

/** Machines and their instances: what runs here, and where each of it stands. */
export function machineRoutes(routes: Routes, serving: Serving): void {
  const { operator, settings } = serving;
  const placed = placedMachines(operator, settings.machines);

  routes.on('GET /machines', function listMachines(ctx, { view }) {
    sendRead(ctx, { items: placed.map((one) => machineOf(operator, one, view)) } satisfies Items<Machine>);
  });

  routes.on('GET /machines/{machine}', function readMachine(ctx, { view }, asked) {
    sendRead(ctx, machineOf(operator, machineIn(ctx, asked), view));
  });

  routes.on('GET /machines/{machine}/instances', function listInstances(ctx, { view }, asked) {
    const machine = machineIn(ctx, asked);
    const holds = filterOf(ctx, asked.query, machine);
    const { limit = listedAtMost } = asked.query;
    const items: Instance[] = [];
    for (const object of objectsOf(operator, machine, view)) {
      const instance = instanceOf(operator, machine, object, view);
      if (holds(instance)) items.push(instance);
    }
    items.sort((a, b) => (a.name < b.name ? -1 : 1));
    sendRead(ctx, { items: items.slice(0, limit) } satisfies Instances);
  });

  routes.on('GET /machines/{machine}/transitions', function listTraces(ctx, { view }, asked) {
    const machine = machineIn(ctx, asked);
    const items = objectsOf(operator, machine, view).map((object) => traceOf(operator, machine, object, view));
    items.sort((a, b) => (a.name < b.name ? -1 : 1));
    sendRead(ctx, { items } satisfies Traces);
  });

  const machineIn = (ctx: RouterContext, { path: { machine: name } }: Named): Placed =>
    placed.find(({ lifecycle }) => lifecycle.name === name) ??
    refuse(ctx, 404, `machine "${name.slice(0, 80)}" was not found`);

  /** Which instances are asked for; several words of `state` mean any of them. */
  function filterOf(
    ctx: RouterContext,
    { state, retrying, stuck: stuckSeconds, app, q }: Filter,
    machine: Placed,
  ): (instance: Instance) => boolean {
    const states = statesIn(ctx, machine.lifecycle, state);
    const text = q?.toLowerCase();
    const before = serving.now() - (stuckSeconds ?? 0) * 1000;
    return (instance) =>
      isIn(states, instance) &&
      (retrying === undefined || instance.retrying === retrying) &&
      (app === undefined || instance.app === app) &&
      (text === undefined || contains(instance, text)) &&
      // What rests is not stuck, however long it has been there.
      (stuckSeconds === undefined || (!isRestingState(machine, instance.state) && msOf(instance.since) <= before));
  }
}

const contains = ({ name, app, project, environment, reason, commit, shown }: Instance, text: string): boolean =>
  [name, app, project, environment, reason, commit, shown].some((field) => field.toLowerCase().includes(text));
