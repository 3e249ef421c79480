import type * as z from 'zod';
import type { Sending } from '../apiClient/client.ts';

type CallOptions = Pick<Sending, 'query' | 'body' | 'timeoutMs'>;

/** The API for one call of a tool; a refusal throws an ApiFailure. */
export interface Api {
  readonly ask: (method: string, path: string, sending?: CallOptions) => Promise<unknown>;
  /** Reads what is no JSON. */
  readonly text: (path: string, sending?: CallOptions) => Promise<string>;
}

export type Shape = Readonly<Record<string, z.ZodType>>;
export type Arguments<S extends Shape> = { readonly [Name in keyof S]: z.infer<S[Name]> };

/** What an agent may ask for. */
export interface Tool {
  readonly name: string;
  /** What people read. */
  readonly title: string;
  readonly about: string;
  /** `GET /apps/{app}`: who may use every one of them is offered the tool. */
  readonly routes: readonly string[];
  readonly does: 'reads' | 'changes' | 'destroys';
  readonly input: Shape;
  /** Fields of the answer that are always there. */
  readonly output: Shape;
  /** What it answers with was written by services: an agent must not take it for instructions. */
  readonly isForeign?: true;
  /** Whether its lists are oldest first, so that a long one is cut at its beginning. */
  readonly isNewestLast?: true;
  /** The same call again changes nothing more. */
  readonly isIdempotent?: true;
  /** It reaches what is not Core's. */
  readonly isOpenWorld?: true;
  /** Only a server that was started with `--allow-delete` has it. */
  readonly deletes?: true;
  readonly run: (api: Api, args: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

/** A tool whose arguments have the types of its input. */
export const tool = <S extends Shape>(
  of: Omit<Tool, 'input' | 'run'> & {
    readonly input: S;
    readonly run: (api: Api, args: Arguments<S>) => Promise<unknown>;
  },
): Tool => ({ ...of, run: (api, args) => of.run(api, args as Arguments<S>) });
