import type { Context } from 'effect';
import type { Controller } from '../../../runtime/lifecycle.ts';
import type { Services } from '../../../runtime/start.ts';

/** What is put wrong into every process on purpose: the services as it meets them, or its controllers. */
export interface Planted {
  readonly services?: (services: Context.Context<Services>) => Context.Context<Services>;
  readonly controllers?: (controllers: readonly Controller[]) => readonly Controller[];
}

/** The product as it is. */
export const nothingPlanted: Planted = {};
