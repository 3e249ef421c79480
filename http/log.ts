import type { Level, LogFields } from '../runtime/services/log.ts';

export type Log = (level: Level, message: string, fields?: LogFields) => void;
