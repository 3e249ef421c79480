import { everyChange } from '../../../runtime/contract/reads.ts';
import { Effect } from 'effect';
import { type Acting, ActionFailed, type BaseFacts, lifecycle } from '../../../runtime/contract/lifecycle.ts';
import type { Outside } from '../../../runtime/services/outside.ts';
import { byState, type EventRule, type Look, type RulesByState } from '../../../rules/engine.ts';
import { type Fact, unknown } from '../../../rules/fact.ts';
import type { CacheReader } from '../../../runtime/cache/reader.ts';
import { asSeen, Cluster } from '../../../runtime/services/cluster/cluster.ts';
import type { Run } from '../../check/run.ts';
import type { Arrow } from '../../tables/arrows.ts';
import {
  configMaps,
  outsideName,
  type GeneratedObject,
  objectName,
  generatedObjects,
  type GeneratedObserved,
} from './kind.ts';
import { arrowsPlayed, doingOf, ensuresIn, machinePlayed, removed } from './machine.ts';
import { dataOf, statusOf, worldOf } from './objects.ts';
import { after, changedFields, ensured, observed, type Play } from './play.ts';
import { hidden, sentence } from '../../../rules/words.ts';
import { type Ensure, holds } from '../../../runtime/contract/ensure.ts';
import { type Controller, controller, watching } from '../../../runtime/contract/controller.ts';

/**
 * A controller derived from a lifecycle's model: its recorded state is the status, its observed a second object.
 */
export function generatedController(play: Play): Controller {
  const { run, model, outside } = play;
  const arrows = arrowsPlayed(run);
  const seenWorld = (target: GeneratedObject, reader: CacheReader) =>
    worldOf(play, target, reader.get(configMaps, outsideName.name));
  const change = (observed: GeneratedObserved | undefined, names: readonly string[], next: unknown) =>
    Effect.gen(function* () {
      const cluster = yield* Cluster;
      if (!observed) return;
      yield* cluster.patch(configMaps, outsideName, { data: dataOf(next, names) }, asSeen(observed));
    });
  /** The external effects of an action, applied to the current observed. */
  const perform = (arrow: Arrow, { object, facts }: Acting<GeneratedObject, BaseFacts>) =>
    Effect.gen(function* () {
      if (outside.size === 0) return;
      const cluster = yield* Cluster;
      const observed = yield* cluster.get(configMaps, outsideName);
      const world = worldOf(play, object, observed);
      const next = after(play, world, arrow, facts);
      const names = changedFields(world, next).filter((name) => outside.has(name));
      if (names.length > 0) yield* change(observed, names, next);
    }).pipe(
      Effect.mapError(({ _tag }) => new ActionFailed({ action: doingOf(arrow), retry: 'waiting', message: _tag })),
    );

  const ensureOf = (name: string): Ensure<GeneratedObject> => ({
    run: ({ object, reader }) =>
      Effect.gen(function* () {
        const world = seenWorld(object, reader);
        const next = ensured(play, world, [name]);
        const names = changedFields(world, next);
        const inside = names.filter((field) => !outside.has(field));
        if (names.length > inside.length)
          yield* change(
            reader.get(configMaps, outsideName.name),
            names.filter((field) => outside.has(field)),
            next,
          );
        // The model takes the part of the other machines of the same object.
        if (inside.length > 0) {
          const cluster = yield* Cluster;
          yield* cluster.patchStatus(generatedObjects, objectName, statusOf(next, inside), asSeen(object));
        }
        return holds;
      }),
  });
  const removal: Ensure<GeneratedObject> = {
    run: ({ object }) =>
      Effect.gen(function* () {
        const cluster = yield* Cluster;
        yield* cluster.remove(generatedObjects, objectName, asSeen(object));
        return holds;
      }),
  };
  const ensures = new Set(arrows.flatMap(({ to }) => ensuresIn(run, to)));

  return controller<GeneratedObject>({
    resource: generatedObjects,
    lifecycles: [
      lifecycle<GeneratedObject, BaseFacts, string, string>({
        name: run.subject.name,
        storage: 'status',
        machine: machinePlayed(run),
        rows: [...run.table.rows, ...run.table.absence],
        absence: [],
        rules: rulesPlayed(run),
        claims: [],
        trouble: [],
        retrying: () => false,
        read: (target) => model.state(worldOf(play, target, undefined)),
        write: () => ({}),
        shown: (target) => model.state(worldOf(play, target, undefined)),
        observe: (target, reader, { now }) => {
          return { now, ...observed(play, seenWorld(target, reader)) };
        },
        ask: (fact, target) => asked(play, fact, target),
        actions: Object.fromEntries(
          arrows.map((arrow) => [
            doingOf(arrow),
            {
              patch: ({ object, reader, facts }) => {
                const world = seenWorld(object, reader);
                const next = after(play, world, arrow, facts);
                return statusOf(
                  next,
                  changedFields(world, next).filter((name) => !outside.has(name)),
                );
              },
              effect: (acting: Acting<GeneratedObject, BaseFacts>) => perform(arrow, acting),
            },
          ]),
        ),
        ensures: Object.fromEntries([...ensures].map((name) => [name, name === removed ? removal : ensureOf(name)])),
      }),
    ],
    watches: [
      watching({
        resource: configMaps,
        reads: everyChange,
        concerns: ({ metadata }) => (metadata.name === outsideName.name ? [objectName.name] : []),
      }),
    ],
    ensures: {},
  });
}

/** A fact that costs a call: read directly, bypassing the cache. */
function asked(play: Play, fact: string, target: GeneratedObject): Effect.Effect<Fact<unknown>, never, Outside> {
  return Effect.gen(function* () {
    const cluster = yield* Cluster;
    const observed = play.outside.size === 0 ? undefined : yield* cluster.get(configMaps, outsideName);
    const facts = play.model.facts(worldOf(play, target, observed)) as Readonly<Record<string, Fact<unknown>>>;
    return facts[fact] ?? unknown(`the model of ${play.run.subject.name} tells nothing of ${fact}`);
  }).pipe(Effect.catch((failure) => Effect.succeed(unknown(failure._tag))));
}

/** A model's time stands still between two acts, so a requeue only has to cause a pass and need not be exact. */
const leastLookMs = 60_000;

/** The rules of a lifecycle, with a requeue at once or after at least a minute, and its events from elsewhere. */
const rulesPlayed = (run: Run): RulesByState<BaseFacts, string, string> =>
  byState([
    ...run.rules.map(({ look, ...rule }) => ({ ...rule, ...(look === undefined ? {} : { look: slower(look) }) })),
    ...run.table.elsewhere.map(({ event }) => fromElsewhere(run, event)),
  ]);

/** The source of such an event is not simulated, so it arrives as a command of its own name. */
const fromElsewhere = ({ interpreter }: Run, event: string): EventRule<BaseFacts, string, string> => ({
  id: `elsewhere-${event}`,
  in: interpreter.arrows.filter((arrow) => arrow.event === event).map(({ from }) => from),
  answers: [event],
  needs: [],
  when: () => true,
  then: event,
  says: () => sentence('{event}', { event: hidden(event) }),
});

const slower = (look: Look<unknown>): Look<{ readonly now?: number }> =>
  'at' in look
    ? { at: look.at, moment: (facts) => Math.max(look.moment(facts), (facts.now ?? 0) + leastLookMs) }
    : { afterMs: look.afterMs === 0 ? 0 : Math.max(look.afterMs, leastLookMs) };
