import type { CoreConsoleSession, OwedLine } from '../../crds/coreConsoleSession.ts';

type Status = CoreConsoleSession['status'];

/** The constant messages of the log that a terminal has one each of. */
export const lineMessages = { opened: 'Console terminal opened', closed: 'Console terminal closed' } as const;

/** The lines that are still to be written; recorded with the move that owes one more. */
export const owing = (
  status: Status,
  line: OwedLine['line'],
  terminal: Pick<OwedLine, 'holder' | 'actor'>,
): readonly OwedLine[] => [...(status?.owedLines ?? []), { line, ...terminal }];

/** What is owed of the terminal of one holder, in the order in which it came to be. */
export const owedBy = (status: Status, holder: string): readonly OwedLine[] =>
  (status?.owedLines ?? []).filter((owed) => owed.holder === holder);

/** Who owes lines, each once. */
export const sessionsWithPendingLines = (status: Status): readonly string[] => [
  ...new Set((status?.owedLines ?? []).map(({ holder }) => holder)),
];

/** The status field once the lines of one holder are written. */
export function withoutOwed(status: Status, holder: string): { readonly owedLines: readonly OwedLine[] | null } {
  const others = (status?.owedLines ?? []).filter((owed) => owed.holder !== holder);
  return { owedLines: others.length === 0 ? null : others };
}
