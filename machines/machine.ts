import { type AnyStateMachine, createMachine } from 'xstate';
import type { Names } from './names.ts';

interface Named {
  readonly state: string;
  readonly event: { readonly type: string };
  readonly action: string;
  readonly ensure: string;
}

/** The target of an event, and the actions that the runtime then performs; no action runs inside a step. */
interface Arrow<N extends Named> {
  readonly target: N['state'];
  readonly actions?: N['action'] | readonly N['action'][];
}

/** The part of xstate's configuration that lifecycles use: every state of the table, and its arrows. */
interface Config<N extends Named> {
  readonly initial: N['state'];
  readonly states: {
    readonly [State in N['state']]: {
      /** What must hold while an instance is in the state. */
      readonly meta?: { readonly ensures: readonly N['ensure'][] };
      readonly on?: { readonly [Event in N['event']['type']]?: Arrow<N> };
    };
  };
}

/** Refuses undeclared properties at any depth, because TypeScript alone accepts those that a spread adds. */
type Only<Given, Shape> = Given extends readonly unknown[] | string
  ? unknown
  : {
      readonly [Key in keyof Given]: Key extends keyof Shape
        ? Only<Given[Key], NonNullable<Shape[Key]>>
        : 'is not in the table';
    };

/** Creates xstate's machine for the named table: only its states, events, actions and ensures compile. */
export const machineOf = <const Name extends keyof Names, const Given extends Config<Names[Name]>>(
  id: Name,
  config: Given & Only<Given, Config<Names[Name]>>,
): AnyStateMachine => createMachine({ id, ...config } as never);
