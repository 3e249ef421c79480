import type { KubeObject } from '../../crds/kind.ts';
import { type Decision, type EventRule } from '../../rules/engine.ts';
import { answered, type Fact, known } from '../../rules/fact.ts';
import { isoTime } from '../../rules/time.ts';
import { hidden, nothing, open, type Message, sentence, toViewers } from '../../rules/words.ts';
import { ensureFailed, failingAfter } from '../../rules/ensure/failing.ts';
import { type AskedFacts, observed } from './decide.ts';
import { newestMove } from './history.ts';
import { type BaseFacts, machineKey, reconcileInput } from '../contract/lifecycle.ts';
import type { Instance } from '../contract/controller.ts';
import { type EnsureMemory, releasing } from '../contract/ensure.ts';
import type { CacheReader } from '../cache/reader.ts';
import { isPaused, standing, stateOf } from './standing.ts';
import { ensuresOf } from './machine.ts';
import { step } from './step.ts';
import { movedFrom } from './externalChange.ts';
import type { Stepper } from '../contract/stepper.ts';

type AnyRule = EventRule<BaseFacts, string, string>;

/** A rule of the state and whether it held; rules after the first that held are `not reached`. */
export interface TriedRule {
  readonly rule: string;
  readonly event: string;
  readonly held: 'yes' | 'no' | 'not reached';
  /** Empty when the rule did not hold. */
  readonly says: Message;
}

/** Explains a state: the same pure decision over the last observed facts, at the current time. */
export interface Explained {
  readonly state: string;
  readonly shown: string;
  readonly since: string;
  readonly now: string;
  readonly paused: boolean;
  readonly decision: Decision<BaseFacts, string, string>;
  readonly says: Message;
  readonly tried: readonly TriedRule[];
  readonly facts: Readonly<Record<string, Fact<unknown>>>;
  readonly observedAt: string | null;
  /** Messages of the ensures that keep failing. */
  readonly failing: readonly Message[];
}

/** What past passes leave for an explanation: failed ensures, and the facts each machine asked for, with their time. */
interface Remembered {
  readonly ensures: EnsureMemory;
  readonly decided: ReadonlyMap<string, { readonly asked: AskedFacts; readonly at: number }>;
}

type Explaining = Pick<Instance, 'controller' | 'lifecycle'>;

/** Explains an instance without calls: facts that no pass asked for stay unasked. */
export function explain(
  { controller, lifecycle }: Explaining,
  object: KubeObject,
  given: { readonly reader: CacheReader; readonly memory: Remembered | undefined; readonly now: number },
): Explained {
  const { reader, memory, now } = given;
  const last = memory?.decided.get(machineKey(lifecycle));
  const others = standing(controller.lifecycles, object);
  const input = reconcileInput({ now, resetFrom: movedFrom(lifecycle, object), others });
  const facts = answered(observed(lifecycle, object, reader, input), last?.asked ?? {});
  const state = stateOf(lifecycle, object);
  const explained = explainOver(lifecycle, state, facts);
  const failing = failingOf({ controller, lifecycle }, object, memory);
  return {
    state,
    shown: lifecycle.shown(object),
    since:
      newestMove(object, lifecycle.name, lifecycle.item?.key)?.at ?? object.metadata.creationTimestamp ?? isoTime(now),
    now: isoTime(now),
    paused: isPaused(object),
    ...explained,
    facts: failing.length === 0 ? explained.facts : { ...explained.facts, failing: known(failing.map(textIn)) },
    observedAt: last ? isoTime(last.at) : null,
    failing,
  };
}

/** Messages of the ensures of the state and the kind that keep failing. */
function failingOf({ controller, lifecycle }: Explaining, object: KubeObject, memory: Remembered | undefined) {
  const { kind } = controller.resource;
  const demanded = new Set([
    ...ensuresOf(lifecycle.machine, lifecycle.read(object)),
    ...Object.keys(controller.ensures),
    releasing,
  ]);
  return [...(memory?.ensures ?? [])]
    .filter(([key, { ensure }]) => demanded.has(ensure) && (key === ensure || key === keyIn(lifecycle, ensure)))
    .flatMap(([, { ensure, count, why }]) => (count < failingAfter ? [] : [ensureFailed(kind, ensure, why)]));
}

const textIn = ({ text }: Message): string => text;
const keyIn = ({ item }: Explaining['lifecycle'], ensure: string) => `${ensure} ${item?.key}`;

/** Decides over given facts, with the decision's message and the evaluated rules. */
export function explainOver(
  of: Stepper<BaseFacts, string, string>,
  state: string,
  facts: BaseFacts,
): Pick<Explained, 'decision' | 'says' | 'tried' | 'facts'> {
  const { decision } = step(of, state, facts);
  return {
    decision,
    says: inWords(decision, facts),
    tried: (of.rules.get(state) ?? [])
      .filter((rule) => isWaitedFor(rule) || isHeld(rule, decision))
      .map((rule) => triedRule(rule, decision, facts)),
    facts: Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, asFact(fact)])),
  };
}

/** Whether a rule is listed before it holds: not if it answers a command or finds an external change. */
const isWaitedFor = ({ answers, finds }: AnyRule) => answers === undefined && finds !== true;

function inWords(decision: Decision<BaseFacts, string, string>, facts: BaseFacts): Message {
  switch (decision.is) {
    case 'event':
      return decision.rule.says(facts);
    case 'ask':
      return sentence('the next pass asks for: {fact}', { fact: toViewers(decision.fact) });
    case 'unknown':
      return sentence('{fact} could not be read: {why}', {
        fact: toViewers(decision.fact),
        why: hidden(decision.why),
      });
    case 'nothing':
      return open('nothing to do now');
  }
}

const isHeld = (rule: AnyRule, decision: Decision<BaseFacts, string, string>) =>
  decision.is === 'event' && decision.rule === rule;

function triedRule(rule: AnyRule, decision: Decision<BaseFacts, string, string>, facts: BaseFacts): TriedRule {
  const { id, then: event } = rule;
  if (!decision.tried.includes(id)) return { rule: id, event, held: 'not reached', says: nothing };
  const held = isHeld(rule, decision);
  return { rule: id, event, held: held ? 'yes' : 'no', says: held ? rule.says(facts) : nothing };
}

const isFact = (value: unknown): value is Fact<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  'is' in value &&
  (value.is === 'known' || value.is === 'unknown' || value.is === 'unasked');

const asFact = (value: unknown): Fact<unknown> => (isFact(value) ? value : { is: 'known', value });
