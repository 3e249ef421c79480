import { said, type SomeSchemas } from '../schema.ts';
import { done } from '../../routes/resource.ts';
import { gitAppAsked, manifestAsked, manifestStep } from '../shapes/gitApplication.ts';

const group = 'Platform';
const unverified = 'The address of the dashboard is not verified.';

/** The Git host application (document 001, Dashboard behaviors). */
export const gitApplicationSchemas = {
  'POST /settings/git-app/save': {
    group,
    summary: 'Saves the Git host application that projects are linked by.',
    path: {},
    body: { schema: gitAppAsked },
    answers: { 200: said(done, 'It is saved.') },
    refusals: { 409: unverified },
  },
  'POST /settings/git-app/manifest': {
    group,
    summary: 'Begins to make the application at the Git host; with the code that it sends back, saves it.',
    path: {},
    body: { schema: manifestAsked, optional: true },
    answers: { 200: said(manifestStep, 'Where to go on, or that it is saved.') },
    refusals: { 409: `${unverified} Or the state is of no step that was begun here.`, 502: 'The Git host refused it.' },
  },
} as const satisfies SomeSchemas;
