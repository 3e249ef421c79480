import { Effect } from 'effect';
import type { Act, Command } from '../subjects/subject.ts';
import { ofKind } from '../plan/trouble.ts';
import { commander, type Commands } from './commands.ts';
import type { Running, PlanEnvironment } from './planEnvironment.ts';

/** Users and external systems: each acts when everything is temporarily idle. */
export interface Outside {
  /** Whether anything was done; `started` is null while no operator runs. */
  readonly act: (started: Running | null) => Promise<boolean>;
  /** The time of the next action that is due by itself. */
  readonly nextAt: () => number;
  /** Whether the script is finished. */
  readonly over: () => boolean;
}

/** Nobody reacts faster than this. */
const beforeHandMs = 1_000;
/** A person who does not get what is wanted gives up after so many. */
const mostTries = 6;

export function makeOutside(planEnvironment: PlanEnvironment): Outside {
  const { plan, environment, time, log, counters } = planEnvironment;
  const { path, subject, troubles } = plan;
  const actors = path.actors(environment);
  let userEdits = ofKind(troubles, 'hand');
  let next = 0;
  let inState = '';
  let since = time.now();

  /** The pending command to a process, until it responds or dies. */
  let asked: PendingCommand | null = null;
  /** How often the coming act was answered, and how often a rule refused it. */
  let given = 0;
  let refused = 0;
  const goOn = () => {
    next++;
    given = 0;
    refused = 0;
    return true;
  };
  const isWhatWasWanted = ({ until }: Act) => until === undefined || until(environment) || given > mostTries;

  const askedBy = (started: Running | null, { asks, command }: (typeof path.script)[number]) => {
    if (asks) return askBeside(started, asks);
    return command ? ask(started, command, planEnvironment.commands) : null;
  };

  const actOut = async (started: Running | null): Promise<boolean> => {
    const coming = path.script[next];
    if (!coming) return false;
    if (asked !== null && asked.of === started && asked.answer === 'none') return false;
    const answer = asked?.answer ?? null;
    asked = null;
    if (isAnswered(answer) && isWhatWasWanted(coming)) return goOn();
    return coming.when(environment) ? give(coming, started) : (passOver(coming, answer), false);
  };

  /** Whether the coming act was answered, now or before; people who are refused read why, look, and ask once more. */
  const isAnswered = (answer: PendingCommand['answer'] | null) => {
    if (answer === 'done' || (answer === 'refused' && ++refused > 1)) given++;
    return given > 0;
  };

  /** The command took effect although its response was lost. */
  const passOver = (coming: Act, answer: PendingCommand['answer'] | null) => {
    if (answer === null) return;
    given++;
    if (isWhatWasWanted(coming)) goOn();
  };

  const give = async (coming: Act, started: Running | null): Promise<boolean> => {
    log.add('outside', coming.text);
    coming.edit?.(environment);
    if (!coming.command && !coming.asks) return goOn();
    asked = askedBy(started, coming);
    if (asked === null) return false;
    await time.settle();
    return asked.answer !== 'none' || started !== null;
  };

  const actByHand = (): boolean => {
    const state = subject.state(environment);
    if (state !== inState) since = time.now();
    inState = state;
    const rests = time.now() >= since + beforeHandMs;
    if (rests && state !== '' && counters.states.at(-1) !== state) counters.states.push(state);
    const due = rests && userEdits.find((edit) => edit.in === state);
    if (!due) return false;
    userEdits = userEdits.filter((edit) => edit !== due);
    planEnvironment.edit(due);
    return true;
  };

  return {
    act: async (started) => {
      if (actByHand()) return true;
      for (const actor of actors) {
        const did = actor.act(time.now());
        if (did === null) continue;
        log.add('outside', did);
        return true;
      }
      return actOut(started);
    },
    nextAt: () =>
      Math.min(
        ...actors.map((actor) => actor.nextAt()),
        userEdits.some((edit) => edit.in === inState) ? since + beforeHandMs : Infinity,
      ),
    over: () => next + (asked === null ? 0 : 1) >= path.script.length,
  };
}

/** Asks what runs beside an operator; a process that dies is never done. */
function askBeside(of: Running | null, asks: NonNullable<Act['asks']>): PendingCommand {
  const given: PendingCommand = { of, answer: 'none' };
  if (!of?.beside) return { of, answer: 'failed' };
  void asks(of.beside).then(() => (given.answer = 'done'));
  return given;
}

interface PendingCommand {
  readonly of: Running | null;
  answer: 'none' | 'done' | 'refused' | 'failed';
}

/** What a command came to: where no rule answers it, or the object is there, it has nothing more to do. */
function answerOf(failed: { readonly _tag: string; readonly says?: string }): PendingCommand['answer'] {
  if (failed._tag === 'CommandRejected' && failed.says !== '') return 'refused';
  return failed._tag === 'CommandRejected' || failed._tag === 'AlreadyExists' ? 'done' : 'failed';
}

/** Sends one command to a running operator. A process that dies never responds, so the command goes to the next one. */
function ask(of: Running | null, { kind, machine, name, asked, object }: Command, commands: Commands): PendingCommand {
  const given: PendingCommand = { of, answer: 'none' };
  const controller = of?.operator.controllers.find(({ resource }) => resource.kind === kind);
  const lifecycle = controller?.lifecycles.find((one) => one.name === machine);
  if (!of || !controller || !lifecycle) return { of, answer: 'failed' };
  const answer = (is: PendingCommand['answer']) =>
    Effect.sync(() => {
      given.answer = is;
    });
  const command = { asked, by: commander };
  commands.sent();
  const done =
    object === undefined
      ? of.operator.move(controller, lifecycle, name, command)
      : of.operator.create(controller, lifecycle, object, command);
  // REST is served once the caches are there.
  void Effect.runPromise(
    Effect.matchEffect(Effect.andThen(of.operator.ready, done), {
      onSuccess: (after) => {
        commands.done(after);
        return answer('done');
      },
      onFailure: (failed) => {
        const is = answerOf(failed);
        if (is !== 'failed') commands.refused();
        return answer(is);
      },
    }),
  );
  return given;
}
