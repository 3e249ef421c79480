import type { Context } from 'effect';
import type { Controller } from '../../../runtime/contract/controller.ts';
import type { Services } from '../../../runtime/start.ts';

/** The bug planted in every process: in its services, or in its controllers. */
export interface Planted {
  readonly services?: (services: Context.Context<Services>) => Context.Context<Services>;
  readonly controllers?: (controllers: readonly Controller[]) => readonly Controller[];
}

/** The unmodified product. */
export const nothingPlanted: Planted = {};
