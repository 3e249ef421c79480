import { Effect } from 'effect';
import { type CoreConsoleSession, coreConsoleSession } from '../../../crds/coreConsoleSession.ts';
import { type KubeObject, typeMeta } from '../../../crds/kind.ts';
import { annotation } from '../../../crds/names.ts';
import { consoleSessionController } from '../../../runtime/controllers/consoleSession/controller.ts';
import { consoleSessions } from '../../../runtime/services/cluster/kinds.ts';
import { type Holders, makeHolders, noTerminals } from '../../../runtime/controllers/consoleSession/observe.ts';
import { historyOf } from '../../../runtime/step/history.ts';
import { inSystem } from '../../support/project.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import { attacher, type Leaving, putTarget, target, terminalsBeside } from './console/terminals.ts';
import type { Act, Command, FaultSubject, Oracle, Path } from './subject.ts';

const name = 'shell';

const sessionIn = ({ cluster }: TestEnvironment): CoreConsoleSession | undefined =>
  cluster.all(consoleSessions).find(({ metadata }) => metadata.name === name);

const phaseIn = (environment: TestEnvironment): string => sessionIn(environment)?.status?.phase ?? '';

function putSession(environment: TestEnvironment, spec: Partial<CoreConsoleSession['spec']> = {}): void {
  const { metadata = inSystem(name), spec: before, status } = sessionIn(environment) ?? {};
  environment.cluster.put(consoleSessions, {
    ...typeMeta(coreConsoleSession),
    metadata,
    spec: { ...target, actor: 'admin', command: ['sh'], timeoutSeconds: 300, ...before, ...spec },
    ...(status === undefined ? {} : { status }),
  });
}

const expiring = (told: string, timeoutSeconds: number): Path => ({
  name: told,
  given: (environment) => putSession(environment, { timeoutSeconds }),
  script: [],
  actors: () => [],
  ends: ['Expired'],
});

/** The session as the API creates it. */
const creates: Act = {
  text: 'a console is asked for',
  when: () => true,
  command: {
    kind: 'CoreConsoleSession',
    machine: 'consoleSession',
    name,
    asked: { is: 'create', caller: 'admin', targetNamed: true, pod: 'running', commandWords: 1 } as Command['asked'],
    object: {
      ...typeMeta(coreConsoleSession),
      metadata: inSystem(name),
      spec: { ...target, actor: 'admin', command: ['sh'], timeoutSeconds: 300 },
    } as KubeObject,
  },
};

/** Somebody opens a terminal in a session, and stays until it ends or leaves first. */
const attended = (told: string, leaving: Leaving, timeoutSeconds: number, ends: readonly string[]): Path => ({
  name: told,
  given: (environment) => {
    putTarget(environment);
    putSession(environment, { timeoutSeconds });
  },
  script: [
    {
      text: 'a client attaches',
      when: (environment) => phaseIn(environment) !== '',
      asks: (beside) => beside.asked(leaving),
    },
    { text: 'and is gone', when: (environment) => ['Closed', 'Expired', ''].includes(phaseIn(environment)) },
  ],
  actors: () => [],
  ends,
  // A process that stood still may come back when the time is over.
  mayDiffer: (difference) => /phase|reason|terminal/.test(difference),
});

const statusIs = (status: object) => (environment: TestEnvironment) => {
  if (sessionIn(environment)) Effect.runSync(environment.cluster.patchStatus(consoleSessions, { name }, status));
};
const limitIs = (timeoutSeconds: number) => (environment: TestEnvironment) => {
  if (sessionIn(environment)) putSession(environment, { timeoutSeconds });
};
const paused = (environment: TestEnvironment, value: string | null) =>
  Effect.runSync(
    environment.cluster.patch(consoleSessions, { name }, { metadata: { annotations: { [annotation.paused]: value } } }),
  );

/** An invalid limit counts as 300 seconds (001 CoreConsoleSession). */
function repaired(written: KubeObject): KubeObject {
  if (written.kind !== 'CoreConsoleSession') return written;
  const { spec, ...rest } = written as CoreConsoleSession;
  const { timeoutSeconds } = spec;
  const isRight = timeoutSeconds >= 1 && timeoutSeconds <= 900;
  return { ...rest, spec: { ...spec, timeoutSeconds: isRight ? timeoutSeconds : 300 } } as KubeObject;
}

/** The terminals whose streams somebody reads. */
const openIn = ({ exec }: TestEnvironment): number =>
  exec.commands.filter(({ execution, isRead }) => execution.interactive && isRead()).length;

const attachedIn = (session: CoreConsoleSession): number =>
  historyOf(session).filter(({ event }) => event === 'attached').length;

interface LinesSeen {
  readonly opened: number;
  readonly closed: number;
  readonly terminals: number;
  readonly deaths: number;
}

/** Each terminal has both lines; a process that dies between a line and its mark leaves that line to be written again. */
const linesAmiss = ({ terminals, deaths, ...lines }: LinesSeen): readonly string[] =>
  Object.entries(lines).flatMap(([line, count]) =>
    count >= terminals && count <= terminals + deaths ? [] : [`${terminals} terminals have ${count} lines ${line}`],
  );

/** What must hold where no process ever died. */
function toldOfOneLife(session: CoreConsoleSession, hasUserEdits: boolean): readonly string[] {
  const mistaken = historyOf(session).some(({ event }) => event === 'holderDied');
  return mistaken && !hasUserEdits ? ['a holder that lives was taken for dead'] : [];
}

/** An ended session does not change, and it expires only after its time limit. */
function sessionOracle(environment: TestEnvironment, hasUserEdits: boolean): Oracle {
  let end: string | null = null;
  const startedBefore = processes;
  const tells = ({ status, spec }: CoreConsoleSession): readonly string[] => {
    const { phase = '', startedAt, endedAt, reason } = status ?? {};
    if (phase !== 'Expired' && phase !== 'Closed')
      return end !== null && !hasUserEdits ? [`came back from its end as ${phase}`] : [];
    const told = `${String(endedAt)} ${String(reason)}`;
    const moved = end !== null && end !== told && !hasUserEdits ? [`ended twice: ${end}, ${told}`] : [];
    end = told;
    const lastedMs = Date.parse(String(endedAt)) - Date.parse(String(startedAt));
    const isSetBack = environment.now() < Date.parse(String(startedAt));
    const early =
      phase === 'Expired' && lastedMs < spec.timeoutSeconds * 1_000 && !hasUserEdits && !isSetBack
        ? [`ended after ${lastedMs} ms`]
        : [];
    return [...moved, ...early];
  };
  return {
    look: (changed: KubeObject) => [
      ...(changed.kind === 'CoreConsoleSession' ? tells(changed as CoreConsoleSession) : []),
      ...(processes - startedBefore === 1 && openIn(environment) > 1 ? ['two terminals are open'] : []),
    ],
    atRest: () => {
      const session = sessionIn(environment);
      if (!session) return [];
      const { timeoutSeconds } = session.spec;
      const isRight = timeoutSeconds >= 1 && timeoutSeconds <= 900;
      const isHeld = session.status?.terminal !== undefined && session.status.terminal !== null;
      const lines = (message: string) =>
        environment.logged.filter((line) => line.includes(`["${message}"`) && line.includes(`"actor":"${attacher}"`))
          .length;
      const [opened, closed] = [lines('Console terminal opened'), lines('Console terminal closed')];
      const lives = processes - startedBefore;
      return [
        ...(environment.exec.shells().length > 0 && !hasUserEdits ? ['a shell was left running'] : []),
        ...(isRight ? [] : [`its limit stays at ${timeoutSeconds} s`]),
        ...(isHeld && !hasUserEdits ? ['its terminal is still held'] : []),
        ...(hasUserEdits ? [] : linesAmiss({ opened, closed, terminals: attachedIn(session), deaths: lives - 1 })),
        ...(openIn(environment) > 0 ? [`${openIn(environment)} terminals are still open`] : []),
        ...(lives === 1 ? toldOfOneLife(session, hasUserEdits) : []),
      ];
    },
  };
}

/** Those of the process that was started last, which its terminals share with its controller. */
let newest: Holders = noTerminals();
let processes = 0;
const leaseSeconds = 15;

/** A console session as kubectl creates one, and terminals that are opened in it. */
export const consoleSessionSubject: FaultSubject = {
  name: 'consoleSession',
  tables: ['consoleSession'],
  controllers: () => {
    newest = makeHolders({ lease: `core-terminals-${++processes}`, leaseSeconds });
    return [consoleSessionController(newest)];
  },
  beside: (given) => terminalsBeside(given, newest),
  alsoSeen: [],
  paths: [
    expiring('a session runs out', 300),
    expiring('a session of a second', 1),
    expiring('a limit that is too long is 300', 901),
    expiring('a limit that is no limit is 300', 0),
    { name: 'a session is created', given: () => {}, script: [creates], actors: () => [], ends: ['Expired'] },
    attended('a client leaves', 'by itself', 300, ['Closed', 'Expired']),
    attended('a shell exits', 'by the shell', 300, ['Closed', 'Expired']),
    attended('two clients at once', 'as one of two', 300, ['Closed', 'Expired']),
    attended('a client stays to the limit', 'never', 60, ['Expired']),
    attended('the limit is shorter than a lease', 'never', 10, ['Expired']),
  ],
  state: phaseIn,
  userEdits: {
    'it is started anew': statusIs({ phase: 'Pending', startedAt: null }),
    'it is called active': statusIs({ phase: 'Active' }),
    'it is called closed': statusIs({ phase: 'Closed' }),
    'somebody holds its terminal': statusIs({ terminal: { holder: 'nobody', since: '2026-01-01T00:00:00Z' } }),
    'its start is taken away': statusIs({ startedAt: null }),
    'its limit is a minute': limitIs(60),
    'its limit is an hour': limitIs(3_600),
    'the status is emptied': statusIs({ phase: null, startedAt: null, endedAt: null, reason: null, terminal: null }),
    'it is deleted': ({ cluster }) => cluster.drop(consoleSessions, name),
    'it is paused and goes on': (environment) => {
      if (!sessionIn(environment)) return;
      paused(environment, 'true');
      paused(environment, null);
    },
  },
  repaired,
  oracle: sessionOracle,
};
