import type { HistoryEntry } from '../../crds/kind.ts';
import { isoTime } from '../../rules/time.ts';

type Arrow = Pick<HistoryEntry, 'machine' | 'from' | 'event' | 'to'>;

/** An entry of a history as a bare loop writes it: as long as a real one, and nobody decided it. */
export const bareEntry = (seq: number, { machine, from, event, to }: Arrow): HistoryEntry => ({
  seq,
  machine,
  from,
  event,
  to,
  rule: event,
  by: 'operator',
  at: isoTime(Date.now()),
  text: 'what a history entry of this move says, about as long as that',
});
