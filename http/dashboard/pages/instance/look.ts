import type { Asked } from '../../parts/actionButton.tsx';
import { mayAct } from '../../store/session.ts';

/** Why somebody who only reads cannot ask for anything. */
export const readsOnly = 'Your role may read, not change';

/** Asks for a look at an instance at once. */
export const lookAt = (path: string): Asked => ({
  word: 'Look now',
  path,
  refused: mayAct() ? undefined : readsOnly,
});
