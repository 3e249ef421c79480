import { fieldsIn, textIn } from './details.ts';

/** The largest code that the API takes, in bytes of UTF-8. */
export const maxCodeBytes = 120_000;

export const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** Why code cannot be saved; null where it can. */
export function codeProblem(code: string): string | null {
  if (code.trim() === '') return 'Type the code of the function.';
  const bytes = bytesOf(code);
  return bytes > maxCodeBytes ? `The code has ${bytes} bytes, at most ${maxCodeBytes} are taken.` : null;
}

/** The function in the spec of a service. */
export function functionIn(spec: Readonly<Record<string, unknown>>): { readonly code: string; readonly mode: string } {
  const source = fieldsIn(fieldsIn(spec['source'])['function']);
  return { code: textIn(source['code']), mode: textIn(source['mode']) || 'http' };
}

const units = ['minute', 'hour', 'day of month', 'month', 'day of week'] as const;

/** Why a schedule cannot be added; null where it can. */
export function triggerProblem(name: string, cron: string): string | null {
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name)) return 'A name has lowercase letters, digits and hyphens.';
  const fields = cron.trim().split(/\s+/);
  return fields.length === units.length ? null : `A schedule has five fields: ${units.join(', ')}.`;
}

const maxShown = 64 * 1024;

/** What a function answered, as far as a page shows it; JSON is indented. */
export function bodyShown(body: string): string {
  const text = body.length > maxShown ? `${body.slice(0, maxShown)} …` : body;
  try {
    return JSON.stringify(JSON.parse(body), null, 2).slice(0, maxShown);
  } catch {
    return text;
  }
}
