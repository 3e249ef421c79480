import { pathOf } from '../client.ts';
import type { Ask } from './ask.ts';

/** A function may take 30 s; the rest is for the network. */
const timeoutMs = 40_000;

/** Calls a function; its response is an answer, whatever its status. */
export const call = (ask: Ask, app: string, body: object): Promise<unknown> =>
  ask('POST', pathOf('apps', app, 'call'), { body, timeoutMs });
