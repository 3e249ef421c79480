import type { RouterContext } from '@koa/router';
import { Optional as optional, type Static, Type } from '@sinclair/typebox';
import type { Access } from '../auth/guard.ts';
import { kindMachine } from './machines/kindMachine.ts';
import { type List, sortedFrom } from '../lists/page.ts';
import { isFound } from '../lists/rows.ts';
import { jsonText } from '../response/jsonText.ts';
import { sendList } from '../lists/send.ts';
import { sortedBy } from '../lists/sorted.ts';
import { itemsOf, pathText } from '../openapi/kit.ts';
import { pageQuery, pages } from '../openapi/paging.ts';
import { read, uncached } from '../openapi/schema.ts';
import { refuse } from '../orThrow.ts';
import { sendRead } from '../response.ts';
import { perContext, type Resource, route, type RouteContext } from '../route.ts';
import { reconcileRoutes } from './instance.ts';
import { instanceQuery } from './machines/query.ts';
import { instance, instanceRead, machine, trace, type Trace, foldedTransitions, foldQuery } from './machines/shapes.ts';
import { done } from './resource.ts';
import type { ServedInstance, ServedMachine, TraceRow } from './machines/servedMachine.ts';
import { isIn, statesIn } from '../lists/statesIn.ts';
import { isCurrent } from '../views/current.ts';
import type { InstanceLine } from '../views/instance.ts';
import { isRestingState } from '../views/machine.ts';
import { machinesByName, placedMachines } from '../views/placed.ts';
import { newestOf } from '../views/transitions.ts';
import { grantOf } from '../../rules/access/routes.ts';
import { msOf } from '../../rules/time.ts';
import { explanation } from './machines/explanation.ts';

const path = { machine: pathText } as const;
const onePath = { machine: pathText, instance: pathText } as const;
const refusals = { 404: 'There is no such machine.' } as const;
const oneRefusals = { 404: 'There is no such machine, or no such instance of it.' } as const;

const machinesOf = perContext((context): ReadonlyMap<string, ServedMachine> => {
  const { operator, settings, accessMachines } = context;
  const onKinds = machinesByName(placedMachines(operator, settings.machines)).values();
  const all = [...[...onKinds].map((kinds) => kindMachine(context, kinds)), ...accessMachines];
  return new Map(all.map((one) => [one.tabled.lifecycle.name, one]));
});

/** Machines and their instances: the state of each, why it is in it, and what moved it. */
export const machineRoutes = {
  'GET /machines': route(
    {
      group: 'Machines',
      summary: 'Lists the machines with their tables and the number of instances per state.',
      path: {},
      answers: read(itemsOf(machine), 'The machines.'),
    },
    (context) =>
      function listMachines(ctx, { caller, view }) {
        const mayRead = (name: string) => grantOf('GET /machines/{machine}', caller, name).is === 'granted';
        const items = [...machinesOf(context)]
          .filter(([name]) => mayRead(name))
          .map(([, machine]) => machine.read(view));
        sendRead(ctx, { items });
      },
  ),
  'GET /machines/{machine}': route(
    {
      group: 'Machines',
      summary: 'Reads a machine.',
      path,
      answers: read(machine, 'The machine.'),
      refusals,
    },
    (context) =>
      function readMachine(ctx, { view }, request) {
        sendRead(ctx, machineIn(ctx, context, request.path.machine).read(view));
      },
  ),
  'GET /machines/{machine}/instances': route(
    {
      group: 'Machines',
      summary: 'Lists the instances of a machine by name, of all its kinds.',
      path,
      query: instanceQuery,
      ...pages(instance, 'The instances.', refusals),
    },
    (context) =>
      function listInstances(ctx, access, request) {
        const machine = machineIn(ctx, context, request.path.machine);
        const holds = filterOf(ctx, context, request.query, machine);
        sendList(ctx, context, {
          access,
          query: request.query,
          from: machine.instances(access.view),
          placeOf: ({ place }) => place,
          isIn: ({ line }) => holds(line),
          text: ({ text }) => text(),
        });
      },
  ),
  'GET /machines/{machine}/instances/{instance}': route(
    {
      group: 'Machines',
      summary: 'Reads an instance, with the states of the other machines of its object.',
      path: onePath,
      answers: read(instanceRead, 'The instance.'),
      refusals: oneRefusals,
    },
    answering('read'),
  ),
  'GET /machines/{machine}/instances/{instance}/explain': route(
    {
      group: 'Machines',
      summary: 'Explains why an instance is in its state, and what happens next.',
      path: onePath,
      answers: read(explanation, 'The decision and its facts.'),
      refusals: oneRefusals,
    },
    answering('explain'),
  ),
  'GET /machines/{machine}/instances/{instance}/transitions': route(
    {
      group: 'Machines',
      summary: 'Lists the recorded transitions of an instance, oldest first.',
      path: onePath,
      query: foldQuery,
      answers: read(foldedTransitions, 'The transitions, each with its row of the table.'),
      refusals: oneRefusals,
    },
    answering('transitions'),
  ),
  ...reconcileRoutes(
    '/machines/{machine}/instances/{instance}',
    {
      group: 'Machines',
      summary: 'Reconciles the object of an instance now, with all its machines.',
      path: onePath,
      answers: { 200: uncached(done, 'A pass is requested.') },
      refusals: { ...oneRefusals, 409: 'No pass reconciles it: it is decided when a request arrives.' },
    },
    answering('reconcile'),
  ),
  'GET /machines/{machine}/transitions': route(
    {
      group: 'Machines',
      summary: 'Lists every instance of a machine with its recorded transitions.',
      path,
      query: Type.Object({
        newest: optional(
          Type.Integer({ minimum: 1, maximum: 1000, description: 'Only so many moves in all, the newest ones.' }),
        ),
        ...pageQuery,
      }),
      ...pages(trace, 'The instances by name, with their transitions, oldest first.', refusals),
    },
    (context) =>
      function listTraces(ctx, access, request) {
        const machine = machineIn(ctx, context, request.path.machine);
        const { newest } = request.query;
        const { view } = access;
        sendList(ctx, context, {
          access,
          query: request.query,
          from: newest === undefined ? machine.traces(view) : newestIn(machine.newest(view, newest), newest),
          placeOf: ({ place }) => place,
          isIn: () => true,
          text: ({ trace }) => jsonText(trace()),
        });
      },
  ),
} satisfies Resource;

const newestIn = (traces: readonly Trace[], count: number): List<TraceRow>['from'] => {
  const rows = newestOf(traces, count).map((one) => ({ place: [one.name, one.kind], trace: () => one }));
  const placeOf = ({ place }: TraceRow) => place;
  return (after) => sortedFrom(sortedBy(rows, placeOf), placeOf, after);
};

const machineIn = (ctx: RouterContext, context: RouteContext, name: string): ServedMachine =>
  machinesOf(context).get(name) ?? refuse(ctx, 404, `machine "${name.slice(0, 80)}" was not found`);

interface One {
  readonly path: { readonly machine: string; readonly instance: string };
  readonly query?: { readonly fold?: boolean };
}

/** Answers about one instance of any machine. */
function answering(part: keyof ServedInstance) {
  return (context: RouteContext) =>
    async (ctx: RouterContext, { view }: Access, { path: { machine, instance }, query }: One): Promise<unknown> => {
      const found = await machineIn(ctx, context, machine).find(instance, view);
      const answer = found?.[part];
      return answer
        ? answer(ctx, query?.fold)
        : refuse(ctx, 404, `instance "${instance.slice(0, 80)}" of the machine ${machine} was not found`);
    };
}

type Filter = Static<typeof instanceQuery>;

/** The instances that a query selects; several words of `state` mean any of them. */
function filterOf(
  ctx: RouterContext,
  { now, caches }: RouteContext,
  { state, project, environment, retrying, current, stuck: stuckSeconds, q, search }: Filter,
  { tabled, lifecycles }: ServedMachine,
): (instance: InstanceLine) => boolean {
  const states = statesIn(ctx, lifecycles, state);
  const text = q?.toLowerCase();
  const before = now() - (stuckSeconds ?? 0) * 1000;
  return (instance) =>
    isIn(states, instance) &&
    (project === undefined || instance.project === project) &&
    (environment === undefined || instance.environment === environment) &&
    (retrying === undefined || instance.retrying === retrying) &&
    (current === undefined || isCurrent(caches, instance) === current) &&
    (text === undefined || contains(instance, text)) &&
    isFound([instance.name.toLowerCase()], search) &&
    // What rests is not stuck, however long it has been there.
    (stuckSeconds === undefined || (!isRestingState(tabled, instance.state) && msOf(instance.since) <= before));
}

const contains = ({ name, kind, project, environment, reason, shown, columns }: InstanceLine, text: string): boolean =>
  [name, kind, project, environment, reason, shown, ...Object.values(columns)].some((field) =>
    field.toLowerCase().includes(text),
  );
