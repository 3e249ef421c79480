import { Effect } from 'effect';
import { type CoreConsoleSession, coreConsoleSession } from '../../../crds/coreConsoleSession.ts';
import { type KubeObject, typeMeta } from '../../../crds/kind.ts';
import { annotation } from '../../../crds/names.ts';
import { consoleSessionController } from '../../../runtime/controllers/consoleSession.ts';
import { consoleSessions } from '../../../runtime/kinds.ts';
import { noTerminals } from '../../../runtime/terminals/holders.ts';
import { inSystem } from '../../support/project.ts';
import type { World } from '../../support/world.ts';
import type { FaultSubject, Judge, Path } from './subject.ts';

const name = 'shell';

const sessionIn = ({ cluster }: World): CoreConsoleSession | undefined =>
  cluster.all(consoleSessions).find(({ metadata }) => metadata.name === name);

const phaseIn = (world: World): string => sessionIn(world)?.status?.phase ?? '';

function putSession(world: World, spec: Partial<CoreConsoleSession['spec']> = {}): void {
  const { metadata = inSystem(name), spec: before, status } = sessionIn(world) ?? {};
  const target = { app: 'web', project: 'shop', environment: 'production', pod: 'web-1', container: 'web' };
  world.cluster.put(consoleSessions, {
    ...typeMeta(coreConsoleSession),
    metadata,
    spec: { ...target, actor: 'admin', command: ['sh'], timeoutSeconds: 300, ...before, ...spec },
    ...(status === undefined ? {} : { status }),
  });
}

const expiring = (told: string, timeoutSeconds: number): Path => ({
  name: told,
  given: (world) => putSession(world, { timeoutSeconds }),
  script: [],
  actors: () => [],
  ends: ['Expired'],
});

const statusIs = (status: object) => (world: World) => {
  if (sessionIn(world)) Effect.runSync(world.cluster.patchStatus(consoleSessions, { name }, status));
};
const limitIs = (timeoutSeconds: number) => (world: World) => {
  if (sessionIn(world)) putSession(world, { timeoutSeconds });
};
const paused = (world: World, value: string | null) =>
  Effect.runSync(
    world.cluster.patch(consoleSessions, { name }, { metadata: { annotations: { [annotation.paused]: value } } }),
  );

/** An invalid limit counts as 300 seconds (001 CoreConsoleSession). */
function repaired(written: KubeObject): KubeObject {
  const { spec, ...rest } = written as CoreConsoleSession;
  const { timeoutSeconds } = spec;
  const isRight = timeoutSeconds >= 1 && timeoutSeconds <= 900;
  return { ...rest, spec: { ...spec, timeoutSeconds: isRight ? timeoutSeconds : 300 } } as KubeObject;
}

/** An ended session does not change, and it expires only after its time limit. */
function judgeSession(world: World, byHand: boolean): Judge {
  let end: string | null = null;
  const tells = ({ status, spec }: CoreConsoleSession): readonly string[] => {
    const { phase = '', startedAt, endedAt, reason } = status ?? {};
    if (phase !== 'Expired') return end !== null && !byHand ? [`came back from its end as ${phase}`] : [];
    const told = `${String(endedAt)} ${String(reason)}`;
    const moved = end !== null && end !== told && !byHand ? [`ended twice: ${end}, ${told}`] : [];
    end = told;
    const lastedMs = Date.parse(String(endedAt)) - Date.parse(String(startedAt));
    const isSetBack = world.now() < Date.parse(String(startedAt));
    const early = lastedMs < spec.timeoutSeconds * 1_000 && !byHand && !isSetBack ? [`ended after ${lastedMs} ms`] : [];
    return [...moved, ...early];
  };
  return {
    look: (changed: KubeObject) => (changed.kind === 'CoreConsoleSession' ? tells(changed as CoreConsoleSession) : []),
    atRest: () => {
      const session = sessionIn(world);
      if (!session) return [];
      const { timeoutSeconds } = session.spec;
      const isRight = timeoutSeconds >= 1 && timeoutSeconds <= 900;
      return isRight ? [] : [`its limit stays at ${timeoutSeconds} s`];
    },
  };
}

/** A console session as kubectl creates one; no terminal is ever opened in it. */
export const consoleSessionSubject: FaultSubject = {
  name: 'consoleSession',
  tables: ['consoleSession'],
  controllers: () => [consoleSessionController(noTerminals())],
  alsoSeen: [],
  paths: [
    expiring('a session runs out', 300),
    expiring('a session of a second', 1),
    expiring('a limit that is too long is 300', 901),
    expiring('a limit that is no limit is 300', 0),
  ],
  state: phaseIn,
  hands: {
    'it is started anew': statusIs({ phase: 'Pending', startedAt: null }),
    'it is called active': statusIs({ phase: 'Active' }),
    'it is called closed': statusIs({ phase: 'Closed' }),
    'somebody holds its terminal': statusIs({ terminal: { holder: 'nobody', since: '2026-01-01T00:00:00Z' } }),
    'its start is taken away': statusIs({ startedAt: null }),
    'its limit is a minute': limitIs(60),
    'its limit is an hour': limitIs(3_600),
    'the status is emptied': statusIs({ phase: null, startedAt: null, endedAt: null, reason: null, terminal: null }),
    'it is deleted': ({ cluster }) => cluster.drop(consoleSessions, name),
    'it is paused and goes on': (world) => {
      if (!sessionIn(world)) return;
      paused(world, 'true');
      paused(world, null);
    },
  },
  repaired,
  judge: judgeSession,
};
