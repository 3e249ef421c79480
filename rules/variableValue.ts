/** The largest value of a variable in bytes: the limit of a Secret. */
export const maxValue = 1024 * 1024;

const bytes = new TextEncoder();

/** A NUL would end a value in an environment, and an unpaired surrogate has no encoding. */
const holdsUnusable = (value: string): boolean => /\0|\p{Surrogate}/u.test(value);

/** Why a value is not allowed for a variable; null when it is. */
export function unusableValue(value: string): string | null {
  if (holdsUnusable(value)) return 'value holds a character that no variable can have';
  return bytes.encode(value).length > maxValue ? `value must be at most ${maxValue} bytes` : null;
}
