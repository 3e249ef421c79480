import type { CallerClass } from './caller.ts';
import { ofRole } from './refusals.ts';

/**
 * Which view of a resource a caller reads: the whole of it, or a redacted one with (observer) or without (viewer) logs
 * and plain configuration.
 */
export type View = 'whole' | 'observer' | 'viewer';

/** What a route grants a caller. `own` covers only the environment of the token; everything else is not found. */
export type Grant =
  | { readonly is: 'granted'; readonly view: View; readonly own: boolean }
  | { readonly is: 'refused'; readonly status: 401 | 403; readonly text: string };

const granted = (view: View, own = false): Grant => ({ is: 'granted', view, own });
const refused = (status: 401 | 403, text: string): Grant => ({ is: 'refused', status, text });

const whole = granted('whole');
const observed = granted('observer');
const redacted = granted('viewer');
const own = granted('whole', true);

const signInFirst = refused(401, 'sign in first');
const changesNothing = refused(403, ofRole.changesNothing);
const readsNoLogs = refused(403, ofRole.readsNoLogs);
const adminOnly = refused(403, ofRole.adminOnly);
const readsNoVariables = refused(403, ofRole.readsNoVariables);
const notByToken = refused(403, 'an API token cannot do this: an admin has to, signed in to the dashboard');
const viewerOpensNone = refused(403, ofRole.opensNoConsole);
const opensNone = refused(403, 'opening a console needs an admin session or an admin workspace token');
const notOfProject = refused(403, 'a project token cannot do this');

type Need = Readonly<Record<CallerClass, Grant>>;

/**
 * What each route requires, and what that means for each caller (document 002, Endpoints and Authentication; decision
 * 26).
 */
export const needs = {
  /** Public paths: a request without credentials is served like any other. */
  nothing: {
    anonymous: whole,
    'viewer session': whole,
    'admin session': whole,
    'viewer token': whole,
    'observer token': whole,
    'admin token': whole,
    'project token': whole,
  },
  signedIn: {
    anonymous: signInFirst,
    'viewer session': redacted,
    'admin session': whole,
    'viewer token': redacted,
    'observer token': observed,
    'admin token': whole,
    'project token': own,
  },
  workspace: {
    anonymous: signInFirst,
    'viewer session': redacted,
    'admin session': whole,
    'viewer token': redacted,
    'observer token': observed,
    'admin token': whole,
    'project token': notOfProject,
  },
  logs: {
    anonymous: signInFirst,
    'viewer session': readsNoLogs,
    'admin session': whole,
    'viewer token': readsNoLogs,
    'observer token': observed,
    'admin token': whole,
    'project token': notOfProject,
  },
  /** Logs of a service; a project token reads those of its own services. */
  serviceLogs: {
    anonymous: signInFirst,
    'viewer session': readsNoLogs,
    'admin session': whole,
    'viewer token': readsNoLogs,
    'observer token': observed,
    'admin token': whole,
    'project token': own,
  },
  variables: {
    anonymous: signInFirst,
    'viewer session': readsNoVariables,
    'admin session': whole,
    'viewer token': readsNoVariables,
    'observer token': observed,
    'admin token': whole,
    'project token': own,
  },
  /** Shared variables of a project; a project token reads those of its services with the services. */
  sharedVariables: {
    anonymous: signInFirst,
    'viewer session': readsNoVariables,
    'admin session': whole,
    'viewer token': readsNoVariables,
    'observer token': observed,
    'admin token': whole,
    'project token': notOfProject,
  },
  act: {
    anonymous: signInFirst,
    'viewer session': changesNothing,
    'admin session': whole,
    'viewer token': changesNothing,
    'observer token': changesNothing,
    'admin token': whole,
    'project token': own,
  },
  admin: {
    anonymous: signInFirst,
    'viewer session': changesNothing,
    'admin session': whole,
    'viewer token': changesNothing,
    'observer token': changesNothing,
    'admin token': whole,
    'project token': notOfProject,
  },
  /** Opening a console, which has its own messages (document 000, Errors). */
  console: {
    anonymous: signInFirst,
    'viewer session': viewerOpensNone,
    'admin session': whole,
    'viewer token': viewerOpensNone,
    'observer token': opensNone,
    'admin token': whole,
    'project token': opensNone,
  },
  /** The terminal of a session: its name comes from an admin, so the role is not checked again. */
  terminal: {
    anonymous: signInFirst,
    'viewer session': whole,
    'admin session': whole,
    'viewer token': whole,
    'observer token': whole,
    'admin token': whole,
    'project token': notOfProject,
  },
  adminReads: {
    anonymous: signInFirst,
    'viewer session': adminOnly,
    'admin session': whole,
    'viewer token': adminOnly,
    'observer token': adminOnly,
    'admin token': whole,
    'project token': notOfProject,
  },
  adminSession: {
    anonymous: signInFirst,
    'viewer session': adminOnly,
    'admin session': whole,
    'viewer token': notByToken,
    'observer token': notByToken,
    'admin token': notByToken,
    'project token': notByToken,
  },
} as const satisfies Readonly<Record<string, Need>>;

export type NeedName = keyof typeof needs;
