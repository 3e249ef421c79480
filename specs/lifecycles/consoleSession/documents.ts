import type { ConsoleSessionEvent, ConsoleSessionState } from '../../../machines/names.ts';
import type { AttachAsked } from '../../../rules/consoleSession/attach.ts';
import type { CreateAsked } from '../../../rules/consoleSession/create.ts';
import type { Absence } from '../../../rules/engine.ts';
import type { ConsoleSessionFacts } from '../../../rules/consoleSession/facts.ts';

/** The response to a creation, by the row of "Create". */
export function createDocuments({ caller, targetNamed, pod, commandWords }: CreateAsked): string {
  if (caller === 'viewer') return 'CON-063';
  if (caller === 'observer' || caller === 'projectToken') return 'CON-052';
  if (!targetNamed) return 'CON-055';
  if (pod === 'noneRuns') return 'CON-055';
  if (pod === 'notRunning' || pod === 'foreign') return 'CON-056';
  if (commandWords === 0) return 'CON-057';
  if (commandWords > 8) return 'CON-058';
  return 'CON-066';
}

/** The response to a request for a terminal, by the row of "Attach". */
export function attachDocuments({ session, byCookie, originMatches, attachWaitedMs }: AttachAsked): string {
  if (byCookie && !originMatches) return 'CON-061';
  if (session === 'absent') return 'CON-053';
  if (session === 'ended') return 'CON-060';
  if (session === 'attached') return 'CON-059';
  if (session === 'pending') return attachWaitedMs < 10_000 ? 'CON-067a' : 'CON-067b';
  if (session === 'unfit') return 'CON-071d';
  return 'CON-038';
}

function passed({ now, startedAt, timeoutSeconds }: ConsoleSessionFacts): boolean {
  if (startedAt === null || startedAt > now + 60_000) return true;
  let seconds = timeoutSeconds;
  if (seconds === null || seconds === 0 || seconds < 0 || seconds > 900) seconds = 300;
  return startedAt + seconds * 1_000 <= now;
}

type ExpectedEvent = (facts: ConsoleSessionFacts) => ConsoleSessionEvent['type'] | null;

const crossOrigin = ({ byCookie, originMatches }: ConsoleSessionFacts) => byCookie && !originMatches;
const command = ({ asked }: ConsoleSessionFacts) => asked?.is ?? 'nothing';

const afterTheEnd: ExpectedEvent = (facts) => {
  if (command(facts) !== 'attach') return null;
  return crossOrigin(facts) ? 'originRefused' : 'lateAttachRefused';
};

const attachedMessage: Readonly<Record<ReturnType<typeof command>, ExpectedEvent>> = {
  nothing: () => 'limitAhead',
  attach: () => 'secondAttachRefused',
  endTerminal: ({ isHolder }) => (isHolder ? 'terminalEnded' : null),
  endStream: ({ isHolder }) => (isHolder ? 'streamEnded' : null),
  create: () => null,
};

const saidIn: Readonly<Record<ConsoleSessionState | Absence, ExpectedEvent>> = {
  '(none)': (facts) => {
    if (command(facts) === 'attach') return crossOrigin(facts) ? 'originRefused' : 'sessionMissed';
    if (command(facts) !== 'create') return null;
    return createDocuments(facts) === 'CON-066' ? 'created' : 'createRefused';
  },
  Pending: (facts) => {
    if (command(facts) !== 'attach') return facts.asked === null ? 'activated' : null;
    if (crossOrigin(facts)) return 'originRefused';
    return facts.attachWaitedMs < 10_000 ? 'attachAwaited' : 'attachGivenUp';
  },
  Active: (facts) => {
    if (passed(facts)) return 'limitReached';
    if (command(facts) === 'attach' && crossOrigin(facts)) return 'originRefused';
    if (command(facts) !== 'attach') return facts.asked === null ? 'limitAhead' : null;
    return facts.target.is === 'known' && facts.target.value === 'unfit' ? 'targetUnfit' : 'attached';
  },
  Attached: (facts) => {
    if (passed(facts)) return 'limitReached';
    if (facts.holder.is === 'known' && facts.holder.value === 'dead') return 'holderDied';
    if (command(facts) === 'attach' && crossOrigin(facts)) return 'originRefused';
    return attachedMessage[command(facts)](facts);
  },
  Expired: afterTheEnd,
  Closed: afterTheEnd,
};

/** What happened, according to document 000. */
export const documents = (state: ConsoleSessionState | Absence, facts: ConsoleSessionFacts) => saidIn[state](facts);
