import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { type CoreConsoleSession, coreConsoleSession } from '../../../crds/coreConsoleSession.ts';
import { typeMeta } from '../../../crds/kind.ts';
import { consoleSessionController } from '../../../runtime/controllers/consoleSession/controller.ts';
import { pods } from '../../../runtime/services/cluster/resources.ts';
import { consoleSessions } from '../../../runtime/services/cluster/kinds.ts';
import { sessionsOf } from '../../../runtime/terminals/sessions.ts';
import { noTerminals } from '../../../runtime/controllers/consoleSession/observe.ts';
import { historyOf } from '../../../runtime/step/history.ts';
import { withLog } from '../../faults/environment/logged.ts';
import { inSystem } from '../../support/project.ts';
import { suite } from '../../support/suite.ts';
import { virtualTime } from '../../support/virtualTime.ts';
import { makeTestEnvironment } from '../../support/environment.ts';

const spec = suite('console sessions');
const name = 'shell';

/** A session and the operator over it; time advances only on request. */
async function startConsole(timeoutSeconds: number | undefined, status?: CoreConsoleSession['status']) {
  const time = virtualTime();
  const environment = makeTestEnvironment({ now: time.wall, controllers: [consoleSessionController(noTerminals())] });
  environment.cluster.put(consoleSessions, {
    ...typeMeta(coreConsoleSession),
    metadata: inSystem(name),
    spec: {
      app: 'web',
      project: 'shop',
      environment: 'production',
      pod: 'web-0',
      container: 'web',
      command: ['sh'],
      timeoutSeconds,
    },
    ...(status === undefined ? {} : { status }),
  } as CoreConsoleSession);
  environment.cluster.put(pods, { metadata: { name: 'web-0', namespace: 'shop-production' } });
  const startedAt = time.wall();
  const { crash, operator } = await time.wait(
    environment.start(undefined, withLog(time.over(environment.services), environment.logged)),
  );
  await time.settle();
  const session = (): CoreConsoleSession => Effect.runSync(environment.cluster.get(consoleSessions, { name }));
  return {
    session,
    startedAt,
    crash,
    /** The lines of the log with this message. */
    lines: (message: string) => environment.logged.filter((line) => line.includes(`"${message}"`)),
    commands: () => environment.exec.commands.map(({ execution }) => execution.command.at(-1) ?? ''),
    /** Advances time to this long after the start. */
    until: (ms: number) => time.moveTo(time.now() + (startedAt + ms - time.wall())),
    /** Attaches after the clock was set forward, which starts no pass. */
    attachAfter: async (ms: number, by: string) => {
      time.jump(ms);
      const asked = { is: 'attach', holder: 'core-terminals/1', actor: by } as const;
      await time.wait(Effect.runPromise(Effect.exit(sessionsOf(operator).decide(name, asked, by))));
    },
    limit: () => session().spec.timeoutSeconds,
    phase: () => session().status?.phase ?? '',
    moves: () => historyOf(session()).map(({ from, event, to, rule }) => `${from} ${event} ${to} ${rule ?? ''}`),
  };
}

spec('CON-030 CON-067 a new session is active at once, and its time runs from then', async () => {
  const { session, phase, moves, startedAt, crash } = await startConsole(300);
  assert.is(phase(), 'Active');
  assert.is(Date.parse(session().status?.startedAt ?? ''), startedAt);
  assert.equal(moves(), ['Pending activated Active started']);
  await crash();
});

for (const [ids, asked, limit] of [
  ['CON-025', undefined, 300],
  ['CON-025', 0, 300],
  ['CON-026', -5, 300],
  ['CON-027', 901, 300],
  ['CON-028', 900, 900],
  ['CON-024', 1, 1],
] as const)
  spec(`${ids} a limit of ${asked ?? 'nothing'} seconds is ${limit}`, async () => {
    const { limit: now, session, crash } = await startConsole(asked);
    assert.is(now(), limit);
    assert.is(session().spec.app, 'web');
    await crash();
  });

spec('CON-031 CON-032 CON-033 CON-068 a session expires when its time is over and not before', async () => {
  const { until, phase, session, startedAt, moves, crash } = await startConsole(60);
  await until(59_999);
  assert.is(phase(), 'Active');
  await until(60_000);
  const { endedAt, reason, terminal } = session().status ?? {};
  assert.equal([phase(), reason, terminal], ['Expired', 'Session timeout', undefined]);
  assert.is(Date.parse(endedAt ?? '') - startedAt, 60_000);
  assert.is(moves().at(-1), 'Active limitReached Expired limit-reached');
  assert.is(session().status?.conditions, undefined);
  await until(3_600_000);
  assert.is(moves().length, 2);
  await crash();
});

spec('CON-068 an active session without a start has expired', async () => {
  const { phase, crash } = await startConsole(300, { phase: 'Active' });
  assert.is(phase(), 'Expired');
  await crash();
});

spec('CON-068b an overdue session expires as soon as an operator runs', async () => {
  const long = '2020-01-01T00:00:00.000Z';
  const { phase, session, crash } = await startConsole(300, { phase: 'Active', startedAt: long });
  assert.is(phase(), 'Expired');
  assert.is(session().status?.startedAt, long);
  await crash();
});

spec('CON-068a CON-071b a terminal without a holder is released, and the session lasts to its limit', async () => {
  const now = new Date(1_790_000_000_000).toISOString();
  const { phase, until, moves, session, crash } = await startConsole(300, {
    phase: 'Active',
    startedAt: now,
    terminal: { holder: 'a process that is gone', since: now },
  });
  assert.ok(moves().length > 0);
  await until(300_001);
  assert.is(phase(), 'Expired');
  assert.is(session().status?.terminal, undefined);
  await crash();
});

for (const phase of ['Active', 'Expired', 'Closed'])
  spec(`CON-038 CON-039 lines owed by a dead process are written once for a session that is ${phase}`, async () => {
    const now = new Date(1_790_000_000_000).toISOString();
    const owed = (['opened', 'closed'] as const).map((line) => ({
      line,
      holder: 'core-terminals-gone/1',
      actor: 'ada',
    }));
    const { until, session, lines, commands, crash } = await startConsole(300, {
      phase,
      startedAt: now,
      ...(phase === 'Active' ? {} : { endedAt: now }),
      owedLines: owed,
    });
    await until(60_000);
    for (const message of ['Console terminal opened', 'Console terminal closed']) {
      assert.is(lines(message).length, 1);
      assert.match(lines(message)[0] ?? '', '"actor":"ada"');
    }
    assert.is(session().status?.owedLines, undefined);
    assert.equal(commands().filter((script) => script.includes('CORE_TERMINAL=core-terminals-gone/1;')).length, 1);
    await crash();
  });

spec('CON-068 the end of an expired session is not attributed to a user who attaches later', async () => {
  const { attachAfter, session, crash } = await startConsole(60);
  await attachAfter(60_000, 'eve');
  assert.is(session().status?.phase, 'Expired');
  const ends = historyOf(session()).map(({ event, by }) => [event, by]);
  assert.equal(ends.slice(0, 2), [
    ['activated', 'operator'],
    ['limitReached', 'operator'],
  ]);
  await crash();
});

spec.run();
