import * as z from 'zod';
import { pathOf } from '../../apiClient/client.ts';
import { ApiFailure } from '../../apiClient/failure.ts';
import { itemsOf } from '../list/itemsOf.ts';
import { listTool } from '../list/listTool.ts';
import type { Item } from '../list/page.ts';
import type { Api, Tool } from '../tool.ts';
import { name } from './shapes.ts';

const app = name('service');
const ofMachine = z.string().min(1).describe('Only those in one of these states, separated by commas.');

interface MachineRead {
  readonly states: readonly { readonly name: string }[];
  readonly counts: Readonly<Record<string, number>> | null;
}

/** Lifecycles without their tables; with a state those alone that have an instance in it. */
async function machinesIn(api: Api, state = ''): Promise<readonly Item[]> {
  const all = (await itemsOf(api, '/machines')) as readonly (Item & MachineRead)[];
  const is = (word: string): boolean => state === '' || word.toLowerCase() === state.toLowerCase();
  if (!all.some(({ states }) => states.some((known) => is(known.name))))
    throw new ApiFailure(`"${state}" is no state of any machine`, 400);
  return all
    .filter(({ counts }) => state === '' || Object.keys(counts ?? {}).some(is))
    .map(({ name: machine, kinds, states, counts, retrying }) => ({
      name: machine,
      kinds,
      states: states.map((known) => known.name),
      counts,
      retrying,
    }));
}

/** Lists of what is no resource. */
export const otherLists: readonly Tool[] = [
  listTool({
    name: 'list_machines',
    title: 'List lifecycles',
    about: 'Lists the lifecycles with how many instances are in which state.',
    routes: ['GET /machines'],
    input: {},
    state: z.string().min(1).describe('Only those with an instance in this state.'),
    all: (api, _, { state }) => machinesIn(api, state),
  }),
  listTool({
    name: 'list_instances',
    title: 'List instances of a lifecycle',
    about: 'Lists the instances of a lifecycle with their state, those that are retrying or stuck alone if asked.',
    routes: ['GET /machines/{machine}/instances'],
    input: {
      machine: z.string().min(1).describe('A name of list_machines.'),
      retrying: z.boolean().optional().describe('Only those that try again after a failure.'),
      stuck: z
        .number()
        .int()
        .min(0)
        .optional()
        .describe('Only those that have been in their state for so many seconds.'),
    },
    state: ofMachine,
    pages: ({ machine, retrying, stuck }, narrowed) => ({
      path: pathOf('machines', machine, 'instances'),
      query: { ...narrowed, retrying: retrying?.toString(), stuck: stuck?.toString() },
    }),
  }),
  listTool({
    name: 'list_variables',
    title: 'List variables of a service',
    about: 'Lists the variables of a service by name and kind, without any value.',
    routes: ['GET /apps/{app}/variables'],
    input: { app },
    all: async (api, { app: of }) =>
      (await itemsOf(api, pathOf('apps', of, 'variables'))).map(({ name: variable, kind, injected, from }) => {
        return { name: variable, kind, injected, from };
      }),
  }),
  listTool({
    name: 'list_deployments',
    title: 'List deployments of a service',
    about: 'Lists the deployments of a service, the newest first.',
    routes: ['GET /apps/{app}/deployments'],
    input: { app },
    state: z
      .enum(['Recorded', 'Skipped', 'running', 'succeeded', 'failed'])
      .describe('Only those in this phase, or the newest one if it stands so.'),
    all: (api, { app: of }) => itemsOf(api, pathOf('apps', of, 'deployments')),
    statesOf: ({ phase, verdict }) => [phase, verdict],
    timeOf: ({ startedAt, createdAt }) => startedAt ?? createdAt,
  }),
  listTool({
    name: 'list_builds',
    title: 'List builds of a service',
    about: 'Lists the builds of a service, the newest first.',
    routes: ['GET /builds'],
    input: { app },
    state: ofMachine,
    pages: ({ app: of }, narrowed) => ({ path: '/builds', query: { app: of, ...narrowed } }),
  }),
];
