import { type AnyStateMachine, createMachine } from 'xstate';
import type { Names } from './names.ts';

interface Named {
  readonly state: string;
  readonly event: { readonly type: string };
  readonly action: string;
  readonly ensure: string;
}

/** Where an event leads, and the actions that the runtime performs then; none runs inside a step. */
interface Arrow<N extends Named> {
  readonly target: N['state'];
  readonly actions?: N['action'] | readonly N['action'][];
}

/** As much of xstate's configuration as a lifecycle uses: every state of its table, and arrows. */
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

/** Refuses what the shape does not have, at any depth: TypeScript alone lets through what a spread brings along. */
type Only<Given, Shape> = Given extends readonly unknown[] | string
  ? unknown
  : {
      readonly [Key in keyof Given]: Key extends keyof Shape
        ? Only<Given[Key], NonNullable<Shape[Key]>>
        : 'is not in the table';
    };

/** xstate's machine for the table of that name: its states, events, actions and ensures, and no others, compile. */
export const machineOf = <const Name extends keyof Names, const Given extends Config<Names[Name]>>(
  id: Name,
  config: Given & Only<Given, Config<Names[Name]>>,
): AnyStateMachine => createMachine({ id, ...config } as never);
