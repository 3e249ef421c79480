import { Type } from '@sinclair/typebox';
import { objectName, text } from '../kit.ts';
import { pageQuery, pages } from '../paging.ts';
import { said, type SomeSchemas, type SuccessResponse } from '../schema.ts';
import { consoleAsked, consoleCreated, consoleSessionItem } from '../../routes/consoles/shapes.ts';

const group = 'Consoles';
const query = Type.Object({ session: text('The name of the session.') });
const attachRefusals = {
  400: 'The pod does not run, or is not part of it; or the handshake is malformed.',
  404: 'There is no such session.',
  409: 'The session has not started within 10 s, or has an open terminal already.',
  410: 'The session has ended.',
  503: 'Too many terminals are open, or the Kubernetes API does not answer.',
} as const;
const socket: SuccessResponse = {
  when: [
    'A WebSocket. Binary frames are what is typed and shown. Text frames are JSON: `{"resize":{"cols","rows"}}`',
    '(1 to 1000) and `{"ack":<bytes shown so far>}`, after which at most 256 KiB stay unacknowledged; before a normal',
    'close comes `{"exit":{"code"}}`.',
  ].join(' '),
  content: [],
};

/** Terminals in the pods of services and of object stores, and who opened them. */
export const consoleSchemas = {
  'POST /apps/{app}/console/create': {
    group,
    summary: 'Opens a console session in a running pod of a service.',
    path: { app: objectName },
    body: { schema: consoleAsked },
    answers: { 201: said(consoleCreated, 'The session; its time runs once it is active.') },
    refusals: { 400: 'The target or the command is missing, or does not fit.', 404: 'There is no such service.' },
  },
  'GET /apps/{app}/console/ws': {
    group,
    summary: 'Attaches a terminal to a session.',
    path: { app: objectName },
    query,
    answers: { 101: socket },
    refusals: { ...attachRefusals, 426: 'It is asked for without a WebSocket.' },
  },
  'GET /apps/{app}/console/sessions': {
    group,
    summary: 'Lists the console sessions of a service, the newest first.',
    path: { app: objectName },
    query: Type.Object(pageQuery),
    ...pages(consoleSessionItem, 'The sessions.', { 404: 'There is no such service.' }),
  },
  'POST /object-stores/{store}/console/create': {
    group,
    summary: "Opens a console session in the pod of the cluster's object-store server.",
    path: { store: objectName },
    body: { schema: consoleAsked },
    answers: { 201: said(consoleCreated, 'The session; its time runs once it is active.') },
    refusals: { 400: 'The target or the command is missing, or does not fit.', 404: 'There is no such object store.' },
  },
  'GET /object-stores/{store}/console/stream': {
    group,
    summary: 'Attaches a terminal to such a session, or streams the output of its command.',
    path: { store: objectName },
    query,
    answers: {
      101: socket,
      200: { when: 'What the command writes, until it ends.', content: [{ is: 'bytes' }] },
    },
    refusals: attachRefusals,
  },
} as const satisfies SomeSchemas;
