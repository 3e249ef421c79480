import { isObject } from '../../rules/json.ts';
import type { WindowSize } from '../../runtime/services/exec.ts';

/** What a client says besides what is typed (decision 58). */
export type Frame =
  | ({ readonly is: 'resize' } & WindowSize)
  /** How many bytes of output it has shown so far. */
  | { readonly is: 'ack'; readonly bytes: number }
  | { readonly is: 'wrong' };

const wrong: Frame = { is: 'wrong' };
const largestSide = 1_000;

const isSide = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= largestSide;

function fieldsIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

export function frameIn(text: string): Frame {
  const fields = fieldsIn(text);
  if (Object.keys(fields).length !== 1) return wrong;
  const { ack, resize } = fields;
  if (Number.isSafeInteger(ack) && Number(ack) >= 0) return { is: 'ack', bytes: Number(ack) };
  if (!isObject(resize)) return wrong;
  const { cols, rows, ...more } = resize;
  return isSide(cols) && isSide(rows) && Object.keys(more).length === 0 ? { is: 'resize', cols, rows } : wrong;
}
