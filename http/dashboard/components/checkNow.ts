import { mayAct } from '../store/session.ts';
import type { Action } from './actionButton.tsx';

/** The reason that readers get instead of actions. */
export const readsOnly = 'You have read-only access.';

/** Requests an immediate check of an instance. */
export const checkNow = (path: string): Action => ({
  label: 'Check now',
  path,
  refused: mayAct() ? undefined : readsOnly,
});
