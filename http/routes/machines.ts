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
import { type Kinds, machinesByName, objectsOf, placedMachines } from '../views/placed.ts';
import { traceOf } from '../views/transitions.ts';
import { instanceRoutes } from './instances.ts';

const listedAtMost = 10_000;

type Filter = Asked<'GET /machines/{machine}/instances'>['query'];

interface Named {
  readonly path: { readonly machine: string };
}

type Told = Pick<Instance, 'name' | 'kind'>;
const byName = (a: Told, b: Told) => (a.name === b.name ? (a.kind < b.kind ? -1 : 1) : a.name < b.name ? -1 : 1);

/** Machines and their instances, with states and counts. */
export function machineRoutes(routes: Routes, serving: Serving): void {
  const { operator, settings } = serving;
  const machines = machinesByName(placedMachines(operator, settings.machines));

  routes.on('GET /machines', function listMachines(ctx, { view }) {
    const items = [...machines.values()].map((kinds) => machineOf(operator, kinds, view));
    sendRead(ctx, { items } satisfies Items<Machine>);
  });

  routes.on('GET /machines/{machine}', function readMachine(ctx, { view }, asked) {
    sendRead(ctx, machineOf(operator, machineIn(ctx, asked), view));
  });

  routes.on('GET /machines/{machine}/instances', function listInstances(ctx, { view }, asked) {
    const kinds = machineIn(ctx, asked);
    const holds = filterOf(ctx, asked.query, kinds);
    const { limit = listedAtMost } = asked.query;
    const items: Instance[] = [];
    for (const placed of kinds)
      for (const object of objectsOf(operator, placed, view)) {
        const instance = instanceOf(operator, placed, object, view);
        if (holds(instance)) items.push(instance);
      }
    items.sort(byName);
    sendRead(ctx, { items: items.slice(0, limit) } satisfies Instances);
  });

  routes.on('GET /machines/{machine}/transitions', function listTraces(ctx, { view }, asked) {
    const items = machineIn(ctx, asked).flatMap((placed) =>
      objectsOf(operator, placed, view).map((object) => traceOf(operator, placed, object, view)),
    );
    sendRead(ctx, { items: items.toSorted(byName) } satisfies Traces);
  });

  const machineIn = (ctx: RouterContext, { path: { machine: name } }: Named): Kinds =>
    machines.get(name) ?? refuse(ctx, 404, `machine "${name.slice(0, 80)}" was not found`);

  instanceRoutes(routes, serving, machineIn);

  /** The instances that a query selects; several words of `state` mean any of them. */
  function filterOf(
    ctx: RouterContext,
    { state, retrying, stuck: stuckSeconds, q }: Filter,
    kinds: Kinds,
  ): (instance: Instance) => boolean {
    const [first, ...others] = kinds;
    const states = statesIn(ctx, [first.lifecycle, ...others.map(({ lifecycle }) => lifecycle)], state);
    const text = q?.toLowerCase();
    const before = serving.now() - (stuckSeconds ?? 0) * 1000;
    return (instance) =>
      isIn(states, instance) &&
      (retrying === undefined || instance.retrying === retrying) &&
      (text === undefined || contains(instance, text)) &&
      // A resting instance is not stuck, however long it has been in its state.
      (stuckSeconds === undefined || (!isRestingState(first, instance.state) && msOf(instance.since) <= before));
  }
}

const contains = ({ name, kind, project, environment, reason, shown, columns }: Instance, text: string): boolean =>
  [name, kind, project, environment, reason, shown, ...Object.values(columns)].some((field) =>
    field.toLowerCase().includes(text),
  );
