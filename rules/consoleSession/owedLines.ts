import type { CoreConsoleSession, OwedLine } from '../../crds/coreConsoleSession.ts';

type Status = CoreConsoleSession['status'];

/** The log messages of a terminal, each written once. */
export const lineMessages = { opened: 'Console terminal opened', closed: 'Console terminal closed' } as const;

/** Adds a line to be written; recorded with the move that requires it. */
export const owing = (
  status: Status,
  line: OwedLine['line'],
  terminal: Pick<OwedLine, 'holder' | 'actor'>,
): readonly OwedLine[] => [...(status?.owedLines ?? []), { line, ...terminal }];

/** The owed lines of one holder's terminal, in order. */
export const owedBy = (status: Status, holder: string): readonly OwedLine[] =>
  (status?.owedLines ?? []).filter((owed) => owed.holder === holder);

/** Sessions with unwritten log lines, without duplicates. */
export const sessionsWithPendingLines = (status: Status): readonly string[] => [
  ...new Set((status?.owedLines ?? []).map(({ holder }) => holder)),
];

/** The status field once the lines of one holder are written. */
export function withoutOwed(status: Status, holder: string): { readonly owedLines: readonly OwedLine[] | null } {
  const others = (status?.owedLines ?? []).filter((owed) => owed.holder !== holder);
  return { owedLines: others.length === 0 ? null : others };
}
