import { type Bug, patched } from './bug.ts';

const pass = 'runtime/pass/pass.ts';
const course = 'runtime/pass/course.ts';
const historyFile = 'runtime/step/history.ts';

/** Bugs in the pass, in what it records, and in the handling of external changes. */
export const passPatches: readonly Bug[] = [
  {
    name: 'claim kept in memory',
    family: 'effect before claim',
    text: 'the claim of a run is not written before its Job is created, but together with what came of it',
    plant: patched(
      course,
      `const written = yield* record(controller.resource, { ...course, working: moved }, context);
    const next = { ...informed, stored: written, caughtUp: written, working: written, claimed: [...claimed, name] };`,
      'const next = { ...informed, working: moved, claimed: [...claimed, name] };',
    ),
  },
  {
    name: 'status before effect',
    family: 'status before effect',
    text: 'the state is written first, and then done what must be done for it',
    plant: patched(
      course,
      `const failed = yield* act(lifecycle, working, move, { facts, reader });
  return failed === null ? { ...reached,`,
      `const written = yield* record(controller.resource, { ...course, working: moved }, context);
  const failed = yield* act(lifecycle, working, move, { facts, reader });
  return failed === null ? { ...reached, stored: written, caughtUp: written, working: written,`,
    ),
  },
  {
    name: 'failed action ignored',
    family: 'swallowed error',
    text: 'an action that fails counts as done',
    plant: patched(course, 'if (failure !== null) return failure;', ''),
  },
  {
    name: 'nothing ensured',
    family: 'lost requeue',
    text: 'a pass ends with what it recorded and never looks at what the state demands',
    plant: patched(
      pass,
      'yield* ensureAll(controller, stored, { moves, memory, context });',
      'yield* Effect.succeed<number | null>(null);',
    ),
  },
  {
    name: 'left-over stays in the way',
    family: 'recovery',
    text: 'where an action fails, what the state demands is not brought about either',
    on: /survived an earlier run|^reset by hand, the Job is kept/,
    by: ['crash, stale cache', 'news come late'],
    unseen: 'the next pass reads the Job directly, and what its state demands is the same',
    plant: patched(
      pass,
      'const ensured = yield*',
      `if (course.failed !== null) return yield* course.failed;
  const ensured = yield*`,
    ),
  },
  {
    name: 'reset not taken up',
    family: 'outside move',
    text: 'a state that somebody wrote is not entered in the history, nor is done what its arrow demands',
    plant: patched(pass, 'external } = isPaused(stored)', 'external } = isPaused(stored) || lifecycles.length > 0'),
  },
  {
    name: 'outside move reverted',
    family: 'outside move',
    text: 'a state that somebody wrote is written back to what the history says',
    plant: patched(
      'runtime/step/externalChange.ts',
      '  return { object: told, external:',
      `  if (to !== from) return { object: withFields(lifecycle, object, { to: from, actions: [], text: '' }, cause), external: null };
  return { object: told, external:`,
    ),
  },
  {
    name: 'paused object moved',
    family: 'outside move',
    text: 'the annotation that pauses an object is not looked at',
    on: /^paused/,
    plant: patched(
      'runtime/step/standing.ts',
      "metadata.annotations?.[annotation.paused] === 'true'",
      'metadata.name === ""',
    ),
  },
  {
    name: 'status over any version',
    family: 'missing precondition',
    text: 'the status is written over whatever version there is',
    plant: patched(
      'runtime/pass/record.ts',
      'patch, asSeen(stored));',
      'patch, asSeen({ ...stored, metadata: { name: "" } }));',
    ),
  },
  {
    name: 'status written in every pass',
    family: 'hot loop',
    text: 'what is to be written is not compared with what stands there',
    plant: patched(
      'runtime/step/mergePatch.ts',
      'const changed = [...names].filter((name) => !same(before[name] ?? null, after[name] ?? null));',
      'const changed = [...names];',
    ),
  },
  {
    name: 'moves timed by the wall clock alone',
    family: 'wall time',
    text: 'a move may be dated before the one it follows, and two runs may have one name',
    plant: patched(
      historyFile,
      'return isoTime(newest ? Math.max(now, msOf(newest.at) + 1) : now);',
      'return isoTime(newest ? now : now);',
    ),
  },
  {
    name: 'moves numbered by their count',
    family: 'run not compared',
    text: 'a move gets the number of moves that are kept, so that numbers repeat once the oldest are dropped',
    plant: patched(
      historyFile,
      '(historyOf(object).at(-1)?.seq ?? 0) + 1',
      'Math.min(historyOf(object).length, 6) + 1',
    ),
  },
  {
    name: 'failed ensure forgotten',
    family: 'swallowed error',
    text: 'an ensure that fails is not tried again',
    plant: patched(
      'runtime/pass/ensure.ts',
      "return { is: 'waits', afterMs: pauseAfter(count, retry) };",
      "return pauseAfter(count, retry) > 0 ? { is: 'holds' } : { is: 'done' };",
    ),
  },
  {
    name: 'what was ensured goes unseen',
    family: 'lost requeue',
    text: 'an ensure that has done something asks for no pass that would see it',
    plant: patched('runtime/pass/ensure.ts', "if (ensured.is === 'done') lookAgain(0);", ''),
  },
  {
    name: 'unknown taken for absent',
    family: 'swallowed error',
    text: 'a fact that could not be read lets the next rule decide',
    plant: patched(
      'rules/engine.ts',
      "if (needed.is === 'unknown') return { is: 'unknown', fact, why: needed.why, tried };",
      "if (needed.is === 'unknown') return { is: 'nothing', tried };",
    ),
  },
  {
    name: 'command over what was cached',
    family: 'stale view',
    text: 'a command is decided over the cache and not over what is stored',
    plant: patched(
      'runtime/pass/move.ts',
      'beginLife(controller, yield* cluster.get(resource, { name }), context)',
      'beginLife(controller, reader.get(resource, name) ?? (yield* cluster.get(resource, { name })), context)',
    ),
    on: /^built again while it runs|command while/,
    by: ['news come late', 'conflict'],
    unseen: 'its write is refused by the version it names, and whoever asked asks again',
  },
  {
    name: 'command gives up at a conflict',
    family: 'swallowed error',
    text: 'a command that met a conflict is not decided anew',
    plant: patched('runtime/pass/move.ts', "_tag === 'Conflict' && now < until", "_tag === 'Refused' && now < until"),
    on: /^built again while it runs|command while/,
    by: ['conflict'],
    unseen: 'whoever asked is told so, and asks again',
  },
];
