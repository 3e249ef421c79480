import { Effect, References, Logger } from 'effect';
import * as assert from 'uvu/assert';
import { ensureFailed, ensureFailures } from '../../../rules/ensure/failing.ts';
import { projectTokensController } from '../../../http/auth/tokens/projects.ts';
import { everything } from '../../../runtime/controllers/all.ts';
import { holds, ServiceFailed } from '../../../runtime/contract/ensure.ts';
import { ensureAll } from '../../../runtime/pass/ensure.ts';
import { explain } from '../../../runtime/step/explain.ts';
import { suite } from '../../support/suite.ts';
import { doing, toggles, makeHouse, moved } from './toggle.ts';

const spec = suite('failing ensures');

/** An open toggle whose light fails while `isFailing`; each pass keeps its lines of the log. */
function darkHouse(isFailing: () => boolean) {
  const run = () =>
    Effect.suspend(() =>
      isFailing() ? Effect.fail(new ServiceFailed({ message: 'the bulb broke' })) : Effect.succeed(holds),
    );
  const lit = { run, schedule: { firstMs: 1_000, maxMs: 1_000 } };
  const sample = makeHouse(doing({ lit }), { phase: 'Open', history: [moved('Open')] });
  const lines: string[] = [];
  const logger = Logger.make(({ logLevel, message, fiber }) => {
    lines.push(JSON.stringify([logLevel, message, fiber.getRef(References.CurrentLogAnnotations)]));
  });
  const look = () =>
    sample.run(
      ensureAll(sample.controller, sample.toggle(), { moves: [], memory: sample.memory, context: sample.context }).pipe(
        Effect.provideService(References.CurrentLoggers, new Set([logger])),
        Effect.provideService(References.MinimumLogLevel, 'All'),
      ),
    );
  const told = () => {
    const [lifecycle] = sample.controller.lifecycles;
    if (!lifecycle) throw new Error('no lifecycle');
    const { failing, facts } = explain({ controller: sample.controller, lifecycle }, sample.toggle(), {
      reader: sample.context.reader,
      memory: sample.memory,
      now: 0,
    });
    return { failing: failing.map(({ text }) => text), fact: facts['failing'] };
  };
  return { sample, lines, look, told };
}

const text = 'what its state demands could not be done: the bulb broke';

spec('an ensure that fails three times in a row is logged once, counted each time and explained', async () => {
  const { sample, lines, look, told } = darkHouse(() => true);
  for (let pass = 0; pass < 2; pass++) await look();
  assert.equal([lines, told()], [[], { failing: [], fact: undefined }]);
  for (let pass = 0; pass < 3; pass++) await look();
  assert.equal(lines, [
    JSON.stringify([
      'Warn',
      ['ensure failed three times in a row'],
      { kind: 'CoreBuild', name: 'front', ensure: 'lit', error: 'the bulb broke' },
    ]),
  ]);
  assert.equal(told(), { failing: [text], fact: { is: 'known', value: [text] } });
  assert.equal(
    sample.ensureFailed,
    Array.from({ length: 5 }, () => 'lit'),
  );
});

spec('an ensure that succeeds between failures is not reported', async () => {
  let pass = 0;
  const { lines, look, told } = darkHouse(() => ++pass % 3 !== 0);
  for (let at = 0; at < 9; at++) await look();
  assert.equal([lines, told().failing], [[], []]);
});

spec('failures of an ensure are counted from zero when its state is entered', async () => {
  const { sample, lines, look } = darkHouse(() => true);
  const putPhase = (phase: string) => sample.cluster.put(toggles, { ...sample.toggle(), status: { phase } });
  for (const phase of ['Open', 'Open', 'Jammed', 'Open', 'Open']) {
    putPhase(phase);
    await look();
  }
  assert.equal([lines, sample.ensureFailed.length], [[], 4]);
});

/** The names of all ensures, as `kind ensure`. */
function ensuresOfEveryKind(): ReadonlySet<string> {
  const { controllers } = everything({
    builder: { builderImage: 'builder', gitImage: 'git', gitUrl: 'https://git.example' },
  });
  const tokens = projectTokensController({ now: () => 0, log: () => {} });
  const names = [...controllers, tokens].flatMap(({ resource, ensures, lifecycles, entries = [], finalizer }) =>
    [
      ensures,
      ...lifecycles.map((one) => one.ensures),
      ...entries.map((one) => one.ensures('1')),
      finalizer?.release ? { release: finalizer.release } : {},
    ].flatMap((each) => Object.keys(each).map((name) => `${resource.kind} ${name}`)),
  );
  return new Set(names);
}

/** Those of the users, whose controller stands apart. */
const ofUsers = ['Secret entries', 'Secret sessionKey'];

spec('every ensure of every kind has a failure message, and there is none without an ensure', () => {
  const named = Object.entries(ensureFailures).flatMap(([kind, each]) =>
    Object.keys(each).map((name) => `${kind} ${name}`),
  );
  assert.equal(named.toSorted(), [...ensuresOfEveryKind(), ...ofUsers].toSorted());
  assert.is(
    ensureFailed('CoreBuild', 'logArchived', 'the store is away').text,
    'the log could not be archived: the store is away',
  );
});

spec.run();
