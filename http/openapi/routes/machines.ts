import { Optional as optional, Type } from '@sinclair/typebox';
import { itemsOf, pathText } from '../kit.ts';
import { placeQuery, pageQuery, pages, searchQuery } from '../paging.ts';
import { read, said, type SomeSchemas, type SuccessResponse } from '../schema.ts';
import { done } from '../../routes/resource.ts';
import {
  explanation,
  instance,
  instanceRead,
  machine,
  streamed,
  trace,
  transitions,
} from '../../routes/machines/shapes.ts';

const refusals = { 404: 'There is no such machine.' } as const;
const path = { machine: pathText } as const;
const onePath = { machine: pathText, instance: pathText } as const;
const oneRefusals = { 404: 'There is no such machine, or no such instance of it.' } as const;
const tenYears = 10 * 365 * 86_400;
const events: SuccessResponse = {
  when: 'Every transition when it happens.',
  content: [{ is: 'events', events: streamed }],
};

/** Machines, their instances, and the event stream. */
export const machineSchemas = {
  'GET /machines': {
    group: 'Machines',
    summary: 'Lists the machines with their tables and the number of instances per state.',
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
    summary: 'Lists the instances of a machine by name, of all its kinds.',
    path,
    query: Type.Object({
      state: optional(Type.String({ description: 'One or more states, separated by commas, in upper or lower case.' })),
      ...placeQuery,
      retrying: optional(Type.Boolean()),
      stuck: optional(
        Type.Integer({
          minimum: 0,
          maximum: tenYears,
          description:
            'Only instances without a transition for this many seconds; an instance in a resting state is not stuck.',
        }),
      ),
      current: optional(Type.Boolean({ description: 'Of builds only those that their service is at.' })),
      q: optional(Type.String({ description: 'A text that a shown value contains.' })),
      ...searchQuery,
    }),
    ...pages(instance, 'The instances.', refusals),
  },
  'GET /machines/{machine}/instances/{instance}': {
    group: 'Machines',
    summary: 'Reads an instance, with the states of the other machines of its object.',
    path: onePath,
    answers: read(instanceRead, 'The instance.'),
    refusals: oneRefusals,
  },
  'GET /machines/{machine}/instances/{instance}/explain': {
    group: 'Machines',
    summary: 'Explains why an instance is in its state, and what happens next.',
    path: onePath,
    answers: read(explanation, 'The decision and its facts.'),
    refusals: oneRefusals,
  },
  'GET /machines/{machine}/instances/{instance}/transitions': {
    group: 'Machines',
    summary: 'Lists the recorded transitions of an instance, oldest first.',
    path: onePath,
    answers: read(transitions, 'The transitions, each with its row of the table.'),
    refusals: oneRefusals,
  },
  'POST /machines/{machine}/instances/{instance}/look': {
    group: 'Machines',
    summary: 'Reconciles the object of an instance now, with all its machines.',
    path: onePath,
    answers: { 200: said(done, 'A pass is requested.') },
    refusals: { ...oneRefusals, 409: 'No pass reconciles it: it is decided when a request arrives.' },
  },
  'GET /machines/{machine}/transitions': {
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
  'GET /events': {
    group: 'Machines',
    summary: 'Streams transitions as server-sent events, resuming after the last event of the client.',
    path: {},
    query: Type.Object({
      lastEventId: optional(
        Type.String({ description: 'The same as the header Last-Event-ID, which takes precedence.' }),
      ),
    }),
    answers: { 200: events },
  },
} as const satisfies SomeSchemas;
