import { levelInField } from './levelField.ts';
import { levelInHeader } from './levelHeader.ts';
import type { LogLevel } from './levels.ts';

const escape = String.fromCharCode(0x1b);
const colours = new RegExp(`${escape}\\[[\\d;]*m`, 'g');
const maxHeader = 400;

/** The level of a line: from a field of JSON or logfmt, or from the header before its message; `info` by default. */
export function levelOf(line: string): LogLevel {
  const start = line.slice(0, 8_192).replace(colours, '').trimStart();
  return levelInField(line.trim(), start) ?? levelInHeader(start.slice(0, maxHeader)) ?? 'info';
}
