import { mayAct } from '../store/session.ts';
import type { Asked } from './actionButton.tsx';

/** Why somebody who only reads cannot ask for anything. */
export const readsOnly = 'You have read-only access.';

/** Asks for a look at an instance at once. */
export const lookAt = (path: string): Asked => ({
  word: 'Check now',
  path,
  refused: mayAct() ? undefined : readsOnly,
});
