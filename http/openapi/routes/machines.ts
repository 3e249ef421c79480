import { Optional as optional, Type } from '@sinclair/typebox';
import { itemsOf, pathText } from '../kit.ts';
import { type Given, read, said, type Schemas } from '../schema.ts';
import { done } from '../shapes/access.ts';
import { explanation, instance, instanceRead, machine, streamed, trace, transitions } from '../shapes/machines.ts';

const refusals = { 404: 'There is no such machine.' } as const;
const path = { machine: pathText } as const;
const onePath = { machine: pathText, instance: pathText } as const;
const oneRefusals = { 404: 'There is no such machine, or no such instance of it.' } as const;
const tenYears = 10 * 365 * 86_400;
const events: Given = {
  when: 'Everything that moves, as it moves.',
  content: [{ is: 'events', events: streamed }],
};

/** Machines, their instances, and the event stream. */
export const machineSchemas = {
  'GET /machines': {
    group: 'Machines',
    summary: 'Lists the machines with their tables and how many instances stand where.',
    path: {},
    answers: read(itemsOf(machine), 'The machines.'),
  },
  'GET /machines/{machine}': {
    group: 'Machines',
    summary: 'Reads a machine.',
    path,
    answers: read(machine, 'The machine.'),
    refusals,
  },
  'GET /machines/{machine}/instances': {
    group: 'Machines',
    summary: 'Lists the instances of a machine, of all its kinds, by name.',
    path,
    query: Type.Object({
      state: optional(Type.String({ description: 'Some states, with commas between, in any case.' })),
      retrying: optional(Type.Boolean()),
      stuck: optional(
        Type.Integer({
          minimum: 0,
          maximum: tenYears,
          description: 'Seconds without a move; what rests is not stuck.',
        }),
      ),
      q: optional(Type.String({ description: 'A part of what the list shows.' })),
      limit: optional(Type.Integer({ minimum: 1, maximum: 10_000, default: 10_000 })),
    }),
    answers: read(itemsOf(instance), 'The instances.'),
    refusals,
  },
  'GET /machines/{machine}/instances/{instance}': {
    group: 'Machines',
    summary: 'Reads an instance, with where the other machines of its object stand.',
    path: onePath,
    answers: read(instanceRead, 'The instance.'),
    refusals: oneRefusals,
  },
  'GET /machines/{machine}/instances/{instance}/explain': {
    group: 'Machines',
    summary: 'Tells why an instance stands where it stands, and what happens next.',
    path: onePath,
    answers: read(explanation, 'What was decided and over which facts.'),
    refusals: oneRefusals,
  },
  'GET /machines/{machine}/instances/{instance}/transitions': {
    group: 'Machines',
    summary: 'Lists the moves of an instance that are kept, the oldest first.',
    path: onePath,
    answers: read(transitions, 'The moves, each with its row of the table.'),
    refusals: oneRefusals,
  },
  'POST /machines/{machine}/instances/{instance}/look': {
    group: 'Machines',
    summary: 'Has an instance looked at now, by all machines of its object.',
    path: onePath,
    answers: { 200: said(done, 'It is looked at.') },
    refusals: { ...oneRefusals, 409: 'No pass looks at it: it is decided when somebody asks.' },
  },
  'GET /machines/{machine}/transitions': {
    group: 'Machines',
    summary: 'Lists every instance of a machine with the moves that are kept.',
    path,
    answers: read(itemsOf(trace), 'The instances, by name, with their moves, the oldest first.'),
    refusals,
  },
  'GET /events': {
    group: 'Machines',
    summary: 'Streams what moves as server-sent events, from where a client stopped.',
    path: {},
    query: Type.Object({
      lastEventId: optional(Type.String({ description: 'As the header Last-Event-ID, which wins.' })),
    }),
    answers: { 200: events },
  },
} as const satisfies Schemas<
  | 'GET /machines'
  | 'GET /machines/{machine}'
  | 'GET /machines/{machine}/instances'
  | 'GET /machines/{machine}/instances/{instance}'
  | 'GET /machines/{machine}/instances/{instance}/explain'
  | 'GET /machines/{machine}/instances/{instance}/transitions'
  | 'POST /machines/{machine}/instances/{instance}/look'
  | 'GET /machines/{machine}/transitions'
  | 'GET /events'
>;
