import type { Commands } from '../command/commands.ts';
import type { Caches } from '../cache/caches.ts';
import type { Controller } from '../contract/controller.ts';
import type { Level, LogFields } from '../services/log.ts';
import type { Holders } from '../controllers/consoleSession/observe.ts';

/** The part of the operator that terminals need: its caches and its commands on sessions. */
export interface SessionOperator extends Pick<Commands, 'decide'> {
  readonly caches: Caches;
  readonly controllers: readonly Controller[];
}

export interface TerminalsOptions {
  readonly operator: SessionOperator;
  readonly holders: Holders;
  readonly log: (level: Level, message: string, fields?: LogFields) => void;
}
