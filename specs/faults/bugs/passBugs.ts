import { Effect } from 'effect';
import * as engine from '../../../rules/engine.ts';
import { isoTime } from '../../../rules/time.ts';
import { holds } from '../../../runtime/contract/ensure.ts';
import * as course from '../../../runtime/pass/passState.ts';
import * as ensure from '../../../runtime/pass/ensure.ts';
import { beginLife } from '../../../runtime/write/life.ts';
import * as commanding from '../../../runtime/command/command.ts';
import * as conflicts from '../../../runtime/services/cluster/retryConflicts.ts';
import * as pass from '../../../runtime/pass/pass.ts';
import * as recording from '../../../runtime/write/record.ts';
import { withFields } from '../../../runtime/step/apply.ts';
import * as catchUp from '../../../runtime/step/catchUp.ts';
import { observed } from '../../../runtime/step/decide.ts';
import * as externalChange from '../../../runtime/step/externalChange.ts';
import * as history from '../../../runtime/step/history.ts';
import * as mergePatch from '../../../runtime/step/mergePatch.ts';
import * as standing from '../../../runtime/step/standing.ts';
import { statusPatch } from '../../../runtime/step/status.ts';
import { type Bug, replaced } from './bug.ts';

/** Bugs in the pass, in what it records, and in the handling of external changes. */
export const passBugs: readonly Bug[] = [
  {
    name: 'claim kept in memory',
    family: 'effect before claim',
    text: 'the claim of a run is not written before its Job is created, but together with what came of it',
    plant: replaced(
      course,
      'claim',
      () =>
        (_, { name }, { claimed, ...before }) =>
          Effect.succeed({ ...before, claimed: [...claimed, name] }),
    ),
  },
  {
    name: 'status before effect',
    family: 'status before effect',
    text: 'the state is written first, and then done what must be done for it',
    plant: replaced(
      course,
      'perform',
      (original) => (run, lifecycle, before, performing) =>
        Effect.gen(function* () {
          const { move, reached } = performing;
          if (move.actions.every((action) => lifecycle.actions[action]?.effect === undefined)) return reached;
          const stored = yield* recording.record(run.controller.resource, reached, run.context);
          const written = { ...reached, stored, caughtUp: stored, working: stored };
          const after = yield* original(run, lifecycle, { ...before, stored }, { ...performing, reached: written });
          return after.failure === null ? after : { ...before, failure: after.failure };
        }),
    ),
  },
  {
    name: 'failed action ignored',
    family: 'swallowed error',
    text: 'an action that fails counts as done',
    plant: replaced(
      course,
      'act',
      (original) =>
        (...given) =>
          Effect.as(original(...given), null),
    ),
  },
  {
    name: 'nothing ensured',
    family: 'lost requeue',
    text: 'a pass ends with what it recorded and never looks at what the state demands',
    plant: replaced(ensure, 'ensureAll', () => () => Effect.succeed(null)),
  },
  {
    name: 'left-over stays in the way',
    family: 'recovery',
    text: 'where an action fails, what the state demands is not brought about either',
    on: /survived an earlier run|^reset by hand, the Job is kept/,
    by: ['crash, stale cache', 'news come late'],
    unseen: 'the next pass reads the Job directly, and what its state demands is the same',
    plant: replaced(
      pass,
      'ensureAfter',
      (original) =>
        (run, begun, ...rest) =>
          begun.failure === null ? original(run, begun, ...rest) : Effect.fail(begun.failure),
    ),
  },
  {
    name: 'reset not taken up',
    family: 'outside move',
    text: 'a state that somebody wrote is not entered in the history, nor is done what its arrow demands',
    plant: replaced(catchUp, 'syncHistory', () => (_, object) => ({ object, from: {}, external: [] })),
  },
  {
    name: 'outside move reverted',
    family: 'outside move',
    text: 'a state that somebody wrote is written back to what the history says',
    plant: replaced(externalChange, 'enterExternal', (original) => (lifecycle, object, finding) => {
      const entered = original(lifecycle, object, finding);
      if (entered.external === null) return entered;
      const { from, now, others, reader } = finding;
      const facts = observed(lifecycle, object, reader, { now, resetFrom: from, others, failure: null });
      const back = { to: from, actions: [], text: '' };
      return { object: withFields(lifecycle, object, back, { by: 'outside', facts, reader }), external: null };
    }),
  },
  {
    name: 'paused object moved',
    family: 'outside move',
    text: 'the annotation that pauses an object is not looked at',
    on: /^paused/,
    plant: replaced(standing, 'isPaused', () => () => false),
  },
  {
    name: 'status over any version',
    family: 'missing precondition',
    text: 'the status is written over whatever version there is',
    plant: replaced(recording, 'recordStatus', (original) => (resource, stored, working, context) => {
      const anyVersion = { ...stored, metadata: { name: stored.metadata.name } };
      return statusPatch(stored, working) === null
        ? Effect.succeed(stored)
        : original(resource, anyVersion, working, context);
    }),
  },
  {
    name: 'status written in every pass',
    family: 'hot loop',
    text: 'what is to be written is not compared with what stands there',
    plant: replaced(
      mergePatch,
      'mergePatchOf',
      (original) => (before, after) => (before === after ? {} : { ...after, ...original(before, after) }),
    ),
  },
  {
    name: 'moves timed by the wall clock alone',
    family: 'wall time',
    text: 'a move may be dated before the one it follows, and two runs may have one name',
    plant: replaced(history, 'nextMoveAt', () => (_, now) => isoTime(now)),
  },
  {
    name: 'moves numbered by their count',
    family: 'run not compared',
    text: 'a move gets the number of moves that are kept, so that numbers repeat once the oldest are dropped',
    plant: replaced(history, 'nextSeq', () => (object) => Math.min(history.historyOf(object).length, 6) + 1),
  },
  {
    name: 'failed ensure forgotten',
    family: 'swallowed error',
    text: 'an ensure that fails is not tried again',
    plant: replaced(
      ensure,
      'counted',
      (original) => (ran, counting) =>
        Effect.map(original(ran, counting), (ensured) => (counting.ensures.has(counting.key) ? holds : ensured)),
    ),
  },
  {
    name: 'ensure swallows',
    family: 'swallowed error',
    text: 'an ensure that keeps failing is told nowhere',
    on: /^the object store comes once its absence was counted$/,
    plant: replaced(ensure, 'failedAgain', () => () => Effect.succeed(1)),
  },
  {
    name: 'what was ensured goes unseen',
    family: 'lost requeue',
    text: 'an ensure that has done something asks for no pass that would see it',
    plant: replaced(
      ensure,
      'nextPassAfterMs',
      (original) => (ensured) => (ensured.is === 'done' ? null : original(ensured)),
    ),
  },
  {
    name: 'unknown taken for absent',
    family: 'swallowed error',
    text: 'a fact that could not be read lets the next rule decide',
    plant: replaced(engine, 'decide', (original) => (rules, state, facts) => {
      const decision = original(rules, state, facts);
      return decision.is === 'unknown' ? { is: 'nothing', tried: decision.tried } : decision;
    }),
  },
  {
    name: 'command over what was cached',
    family: 'stale view',
    text: 'a command is decided over the cache and not over what is stored',
    plant: replaced(commanding, 'load', (original) => (instance, context) => {
      const { controller, name } = instance;
      const cached = context.reader.get(controller.resource, name);
      return cached === undefined ? original(instance, context) : beginLife(controller, cached, context);
    }),
    on: /^built again while it runs|command while/,
    by: ['news come late', 'conflict'],
    unseen: 'its write is refused by the version it names, and whoever asked asks again',
  },
  {
    name: 'command gives up at a conflict',
    family: 'swallowed error',
    text: 'a command that met a conflict is not decided anew',
    plant: replaced(conflicts, 'retryConflicts', () => (request) => request),
    on: /^built again while it runs|command while/,
    by: ['conflict'],
    unseen: 'whoever asked is told so, and asks again',
  },
];
