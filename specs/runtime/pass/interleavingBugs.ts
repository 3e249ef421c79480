import * as enter from '../../../runtime/write/enter.ts';
import * as record from '../../../runtime/write/record.ts';
import * as carried from '../../../runtime/step/pendingMove.ts';
import * as catchUp from '../../../runtime/step/catchUp.ts';
import { nextSeq, withEntered } from '../../../runtime/step/history.ts';
import { withStatus } from '../../../runtime/step/status.ts';
import { replaced, type Replacement } from '../../faults/bugs/bug.ts';
import { plant } from '../../faults/bugs/planting.ts';
import { searched } from './interleaving.ts';

/** One planted bug in each part of moving a state outside the status. */
export const bugs: readonly { readonly text: string; readonly replacement: Replacement }[] = [
  {
    text: 'a move that is carried is not entered',
    replacement: replaced(carried, 'pendingMoveOf', () => () => null),
  },
  {
    text: 'what led to where a move began is left out',
    replacement: replaced(
      catchUp,
      'withKnownMove',
      () => (object, move) => withEntered(object, { ...move, seq: Math.max(move.seq, nextSeq(object)) }),
    ),
  },
  {
    text: 'an older move is entered again',
    replacement: replaced(
      carried,
      'pendingMoveOf',
      (original) => (object, machine) => original(withStatus(object, { history: [] }), machine),
    ),
  },
  {
    text: 'a state is patched while the history is behind',
    replacement: replaced(
      record,
      'recordObject',
      (original) => (resource, change, context) => original(resource, { ...change, synced: change.stored }, context),
    ),
  },
  {
    text: 'a command whose annotation was taken away does not enter its move',
    replacement: replaced(enter, 'isEntered', () => () => true),
  },
  {
    text: 'a move outside the status is not carried',
    replacement: replaced(carried, 'withPendingMove', () => (object) => object),
  },
];

/** Entry point of a bundle: searches under one of the bugs. */
export async function searchedWith(bug: string, numRuns: number): Promise<string> {
  const found = bugs.find(({ text }) => text === bug);
  if (!found) throw new Error(`no bug is called ${bug}`);
  plant(found.replacement);
  return searched(numRuns);
}
