import { levelInField } from './levelField.ts';
import { levelInHeader } from './levelHeader.ts';
import type { LogLevel } from './levels.ts';

const escape = String.fromCharCode(0x1b);
const colours = new RegExp(`${escape}\\[[\\d;]*m`, 'g');
const maxHeader = 400;

/**
 * How bad a line says it is: by a field of JSON or logfmt, or by what stands before its message; `info` where it does
 * not say.
 */
export function levelOf(line: string): LogLevel {
  const start = line.slice(0, 8_192).replace(colours, '').trimStart();
  return levelInField(line.trim(), start) ?? levelInHeader(start.slice(0, maxHeader)) ?? 'info';
}
