import { mayAct } from '../store/session.ts';
import type { Action } from './actionButton.tsx';
import { requestCheck } from '../api.ts';

/** The reason that readers get instead of actions. */
export const readsOnly = 'You have read-only access.';

/** Requests an immediate check of an instance. */
export const checkNow = (machine: string, id: string): Action => ({
  label: 'Check now',
  request: requestCheck(machine, id),
  refused: mayAct() ? undefined : readsOnly,
});
