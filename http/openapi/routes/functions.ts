import { Type } from '@sinclair/typebox';
import { objectName, pathText } from '../kit.ts';
import { pageQuery, pages } from '../paging.ts';
import { said, type SomeSchemas } from '../schema.ts';
import { callAsked, functionAnswer, trigger, triggerAsked, triggerRemoved } from '../../routes/functions/shapes.ts';

const path = { app: objectName };
const group = 'Services';
const refusals = { 404: 'There is no such service, or the token may not see it.', 409: 'It is no function.' } as const;

/** What is done with functions alone: calling them, and their schedules. */
export const functionSchemas = {
  'POST /apps/{app}/call': {
    group,
    summary: 'Calls a function and returns its response, whatever its status.',
    path,
    body: { schema: callAsked, optional: true, atMost: 1024 * 1024 },
    answers: { 200: said(functionAnswer, 'What it answered.') },
    refusals: {
      ...refusals,
      409: 'It is no function, or is not running.',
      502: 'It cannot be reached.',
      504: 'It did not answer within 30 seconds.',
    },
  },
  'GET /apps/{app}/triggers': {
    group,
    summary: 'Lists the schedules of a function, as they are saved.',
    path,
    query: Type.Object(pageQuery),
    ...pages(trigger, 'The schedules, by name.', refusals),
    refusals,
  },
  'POST /apps/{app}/triggers': {
    group,
    summary: 'Adds a schedule to a function; the next deploy takes it up.',
    path,
    body: { schema: triggerAsked },
    answers: { 201: said(trigger, 'It is saved.') },
    refusals: { ...refusals, 409: 'It is no function, or the name is taken.' },
  },
  'DELETE /apps/{app}/triggers/{trigger}': {
    group,
    summary: 'Takes a schedule from a function, from the next deploy on.',
    path: { ...path, trigger: pathText },
    answers: { 200: said(triggerRemoved, 'It is gone, from the next deploy on.') },
    refusals: { ...refusals, 404: 'There is no such service or schedule.' },
  },
} as const satisfies SomeSchemas;
