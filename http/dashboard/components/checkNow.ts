import { mayAct } from '../store/session.ts';
import type { Asked } from './actionButton.tsx';

/** The reason that readers get instead of actions. */
export const readsOnly = 'You have read-only access.';

/** Requests an immediate check of an instance. */
export const lookAt = (path: string): Asked => ({
  word: 'Check now',
  path,
  refused: mayAct() ? undefined : readsOnly,
});
