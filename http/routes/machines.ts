import type { RouterContext } from '@koa/router';
import { msOf } from '../../rules/time.ts';
import { refuse } from '../answer.ts';
import type { Instance, Instances, Items, Machine, Traces } from '../api.ts';
import { sendRead } from '../json.ts';
import { countIn, flagIn, textIn } from '../query.ts';
import type { Routes } from '../route.ts';
import type { Serving } from '../serving.ts';
import { instanceOf } from '../views/instance.ts';
import { isRestingState, machineOf } from '../views/machine.ts';
import { objectsOf, type Placed, placedMachines } from '../views/placed.ts';
import { traceOf } from '../views/transitions.ts';

const listed = { least: 1, most: 10_000 };
const longest = 10 * 365 * 86_400;

/** Machines and their instances: what runs here, and where each of it stands. */
export function machineRoutes(routes: Routes, serving: Serving): void {
  const { operator, settings } = serving;
  const placed = placedMachines(operator, settings.machines);

  routes.on('GET /machines', function listMachines(ctx, { view }) {
    sendRead(ctx, { items: placed.map((one) => machineOf(operator, one, view)) } satisfies Items<Machine>);
  });

  routes.on('GET /machines/{machine}', function readMachine(ctx, { view }) {
    sendRead(ctx, machineOf(operator, machineIn(ctx), view));
  });

  routes.on('GET /machines/{machine}/instances', function listInstances(ctx, { view }) {
    const machine = machineIn(ctx);
    const holds = filterOf(ctx, machine);
    const limit = countIn(ctx, 'limit', listed) ?? listed.most;
    const items: Instance[] = [];
    for (const object of objectsOf(operator, machine, view)) {
      const instance = instanceOf(operator, machine, object, view);
      if (holds(instance)) items.push(instance);
    }
    items.sort((a, b) => (a.name < b.name ? -1 : 1));
    sendRead(ctx, { items: items.slice(0, limit) } satisfies Instances);
  });

  routes.on('GET /machines/{machine}/transitions', function listTraces(ctx, { view }) {
    const machine = machineIn(ctx);
    const items = objectsOf(operator, machine, view).map((object) => traceOf(operator, machine, object, view));
    items.sort((a, b) => (a.name < b.name ? -1 : 1));
    sendRead(ctx, { items } satisfies Traces);
  });

  const machineIn = (ctx: RouterContext): Placed => {
    const name = ctx.params['machine'] ?? '';
    return (
      placed.find(({ lifecycle }) => lifecycle.name === name) ??
      refuse(ctx, 404, `machine "${name.slice(0, 80)}" was not found`)
    );
  };

  /** Which instances are asked for; several words of `state` mean any of them. */
  function filterOf(ctx: RouterContext, { lifecycle }: Placed): (instance: Instance) => boolean {
    const states = textIn(ctx, 'state')?.toLowerCase().split(',');
    const retrying = flagIn(ctx, 'retrying');
    const stuckSeconds = countIn(ctx, 'stuck', { least: 0, most: longest });
    const app = textIn(ctx, 'app');
    const text = textIn(ctx, 'q')?.toLowerCase();
    const before = serving.now() - (stuckSeconds ?? 0) * 1000;
    return (instance) =>
      (states === undefined ||
        states.includes(instance.state.toLowerCase()) ||
        states.includes(instance.shown.toLowerCase())) &&
      (retrying === undefined || instance.retrying === retrying) &&
      (app === undefined || instance.app === app) &&
      (text === undefined || contains(instance, text)) &&
      // What rests is not stuck, however long it has been there.
      (stuckSeconds === undefined || (!isRestingState(lifecycle, instance.state) && msOf(instance.since) <= before));
  }
}

const contains = ({ name, app, project, environment, reason, commit, shown }: Instance, text: string): boolean =>
  [name, app, project, environment, reason, commit, shown].some((field) => field.toLowerCase().includes(text));
