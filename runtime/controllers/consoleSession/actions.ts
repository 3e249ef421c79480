import type { ConsoleSessionAction } from '../../../machines/names.ts';
import { owing } from '../../../rules/consoleSession/owedLines.ts';
import type { CoreConsoleSession } from '../../../crds/coreConsoleSession.ts';
import type { ConsoleAsked, ConsoleSessionFacts } from '../../../rules/consoleSession/facts.ts';
import { type Acting, type Fields, patching, type Writing } from '../../contract/lifecycle.ts';

const ended = (reason: string) => (acting: Acting<CoreConsoleSession, ConsoleSessionFacts>) => ({
  endedAt: acting.at,
  reason,
  terminal: null,
});

const actorIn = (asked: ConsoleAsked | null): string => (asked?.is === 'attach' ? asked.actor : '');

/** The terminal of a session, as named in its log lines. */
const terminalOf = ({ status }: CoreConsoleSession) => {
  const { holder = '', actor } = status?.terminal ?? {};
  return { holder, ...(actor === undefined ? {} : { actor }) };
};

export const holderIn = (asked: ConsoleAsked | null): string =>
  asked !== null && 'holder' in asked ? asked.holder : '';

/** The named actions of a session. */
export const sessionActions = patching<ConsoleSessionAction, Writing<CoreConsoleSession, ConsoleSessionFacts>, Fields>({
  recordStart: ({ at }) => ({ startedAt: at }),
  holdTerminal: ({ at, facts: { asked } }) => ({
    terminal: { holder: holderIn(asked), actor: actorIn(asked), since: at },
  }),
  releaseTerminal: () => ({ terminal: null }),
  expire: ended('Session timeout'),
  close: ended('Terminal closed'),
  closeStream: ended('Stream ended'),
  logOpened: ({ moved }) => ({ owedLines: owing(moved.status, 'opened', terminalOf(moved)) }),
  logClosed: ({ object, moved }) => ({ owedLines: owing(moved.status, 'closed', terminalOf(object)) }),
});
