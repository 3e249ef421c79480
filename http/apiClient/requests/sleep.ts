import { pathOf } from '../client.ts';
import type { Ask } from './ask.ts';

/** Lets a service sleep after that many seconds without requests; null for never. */
export const setSleep = (ask: Ask, app: string, idleSeconds: number | null): Promise<unknown> =>
  ask('PATCH', pathOf('apps', app), {
    body: idleSeconds === null ? { scaleToZero: 'off' } : { scaleToZero: 'on', idleSeconds },
  });
