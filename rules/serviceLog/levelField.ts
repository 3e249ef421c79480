import { type LogLevel, levelNamed, levelNumbered } from './levels.ts';

const names = ['level', 'level_name', 'severity', 'error_severity', 'lvl', 'log.level', 'loglevel', 'levelname', '@l'];
const inJson = new RegExp(`"(?:${names.map((name) => name.replace('.', '\\.')).join('|')})"\\s*:\\s*"?(\\w+)`, 'i');
/** MongoDB names its severity by a letter. */
const ofMongo = /"s"\s*:\s*"([FEWID])\d?"\s*,\s*"c"\s*:/;
const ofLogfmt = /(?:^|\s)(?:level|lvl|severity|log_?level)="?([A-Za-z]+)"?(?=\s|$)/;

/** The level of a letter, as klog, MongoDB and the logger of Ruby write it. */
export const levelOfLetter: Readonly<Record<string, LogLevel>> = {
  F: 'error',
  E: 'error',
  W: 'warn',
  I: 'info',
  D: 'debug',
};

type Fields = Readonly<Record<string, unknown>>;

function ofValue(value: unknown): LogLevel | undefined {
  if (typeof value === 'number') return levelNumbered(value);
  if (typeof value !== 'string') return undefined;
  return /^\d{1,3}$/.test(value) ? levelNumbered(Number(value)) : levelNamed(value);
}

function fieldsOf(json: string): Fields | null {
  try {
    return JSON.parse(json) as Fields;
  } catch {
    return null;
  }
}

/** The level in a JSON object, which a long line may contain only the start of. */
function ofJson(line: string, start: string): LogLevel | undefined {
  const fields = fieldsOf(line);
  if (fields === null) return ofValue(inJson.exec(start)?.[1]);
  const within = fields['log'];
  const nested = typeof within === 'object' && within !== null ? [(within as Fields)['level']] : [];
  const lowered = new Map(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));
  const ofName = [...names.map((name) => lowered.get(name)), ...nested]
    .map(ofValue)
    .find((level) => level !== undefined);
  return ofName ?? levelOfLetter[ofMongo.exec(start)?.[1] ?? ''];
}

/** The level in a field of a line, which is a JSON object or has logfmt pairs. */
export const levelInField = (line: string, start: string): LogLevel | undefined =>
  (start.startsWith('{') ? ofJson(line, start) : undefined) ?? levelNamed(ofLogfmt.exec(start)?.[1] ?? '');
