import type { RouterContext } from '@koa/router';
import { grantOf } from '../../rules/access/routes.ts';
import { msOf } from '../../rules/time.ts';
import { refuse } from '../orThrow.ts';
import type { Items } from '../openapi/paging.ts';
import type { Machine, Trace } from './machines/shapes.ts';
import { sendRead } from '../response.ts';
import { kindMachine } from '../kindMachine.ts';
import type { Asked } from '../openapi/schemas.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';
import { type List, sortedFrom } from '../lists/page.ts';
import { isFound } from '../lists/rows.ts';
import { sendList } from '../lists/send.ts';
import { sortedBy } from '../lists/sorted.ts';
import type { ServedMachine, TraceRow } from '../servedMachine.ts';
import { isIn, statesIn } from '../states.ts';
import type { InstanceLine } from '../views/instance.ts';
import { isCurrent } from '../views/current.ts';
import { isRestingState } from '../views/machine.ts';
import { newestOf } from '../views/transitions.ts';
import { machinesByName, placedMachines } from '../views/placed.ts';
import { instanceRoutes } from './instances.ts';

type Filter = Asked<'GET /machines/{machine}/instances'>['query'];

interface Named {
  readonly path: { readonly machine: string };
}

/** Machines and their instances: what runs here, and where each of it stands. */
export function machineRoutes(routes: Routes, context: ServerContext, onRequest: readonly ServedMachine[]): void {
  const { operator, settings } = context;
  const onKinds = machinesByName(placedMachines(operator, settings.machines)).values();
  const machines = new Map(
    [...[...onKinds].map((kinds) => kindMachine(context, kinds)), ...onRequest].map((one) => [
      one.tabled.lifecycle.name,
      one,
    ]),
  );

  routes.on('GET /machines', function listMachines(ctx, { caller, view }) {
    const mayRead = (name: string) => grantOf('GET /machines/{machine}', caller, name).is === 'granted';
    const items = [...machines].filter(([name]) => mayRead(name)).map(([, machine]) => machine.read(view));
    sendRead(ctx, { items } satisfies Items<Machine>);
  });

  routes.on('GET /machines/{machine}', function readMachine(ctx, { view }, asked) {
    sendRead(ctx, machineIn(ctx, asked).read(view));
  });

  routes.on('GET /machines/{machine}/instances', function listInstances(ctx, access, asked) {
    const machine = machineIn(ctx, asked);
    const holds = filterOf(ctx, asked.query, machine);
    sendList(ctx, context, {
      access,
      query: asked.query,
      from: machine.instances(access.view),
      placeOf: ({ place }) => place,
      isIn: ({ line }) => holds(line),
      text: ({ text }) => text(),
    });
  });

  routes.on('GET /machines/{machine}/transitions', function listTraces(ctx, access, asked) {
    const machine = machineIn(ctx, asked);
    const { newest } = asked.query;
    const { view } = access;
    sendList(ctx, context, {
      access,
      query: asked.query,
      from: newest === undefined ? machine.traces(view) : newestIn(machine.newest(view, newest), newest),
      placeOf: ({ place }) => place,
      isIn: () => true,
      text: ({ trace }) => JSON.stringify(trace()),
    });
  });

  const newestIn = (traces: readonly Trace[], count: number): List<TraceRow>['from'] => {
    const rows = newestOf(traces, count).map((one) => ({ place: [one.name, one.kind], trace: () => one }));
    const placeOf = ({ place }: TraceRow) => place;
    return (after) => sortedFrom(sortedBy(rows, placeOf), placeOf, after);
  };

  const machineIn = (ctx: RouterContext, { path: { machine: name } }: Named): ServedMachine =>
    machines.get(name) ?? refuse(ctx, 404, `machine "${name.slice(0, 80)}" was not found`);

  instanceRoutes(routes, machineIn);

  /** The instances that a query selects; several words of `state` mean any of them. */
  function filterOf(
    ctx: RouterContext,
    { state, project, environment, retrying, current, stuck: stuckSeconds, q, search }: Filter,
    { tabled, lifecycles }: ServedMachine,
  ): (instance: InstanceLine) => boolean {
    const states = statesIn(ctx, lifecycles, state);
    const text = q?.toLowerCase();
    const before = context.now() - (stuckSeconds ?? 0) * 1000;
    return (instance) =>
      isIn(states, instance) &&
      (project === undefined || instance.project === project) &&
      (environment === undefined || instance.environment === environment) &&
      (retrying === undefined || instance.retrying === retrying) &&
      (current === undefined || isCurrent(operator.caches, instance) === current) &&
      (text === undefined || contains(instance, text)) &&
      isFound([instance.name.toLowerCase()], search) &&
      // What rests is not stuck, however long it has been there.
      (stuckSeconds === undefined || (!isRestingState(tabled, instance.state) && msOf(instance.since) <= before));
  }
}

const contains = ({ name, kind, project, environment, reason, shown, columns }: InstanceLine, text: string): boolean =>
  [name, kind, project, environment, reason, shown, ...Object.values(columns)].some((field) =>
    field.toLowerCase().includes(text),
  );
