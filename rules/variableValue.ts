/** The largest value of a variable in bytes: no Secret has room for more. */
export const maxValue = 1024 * 1024;

const bytes = new TextEncoder();

/** An environment ends a value at a NUL, and half of a surrogate pair has no bytes. */
const holdsUnusable = (value: string): boolean => /\0|\p{Surrogate}/u.test(value);

/** Why a value cannot be that of a variable; null where it can. */
export function unusableValue(value: string): string | null {
  if (holdsUnusable(value)) return 'value holds a character that no variable can have';
  return bytes.encode(value).length > maxValue ? `value must be at most ${maxValue} bytes` : null;
}
