/** The largest value of a variable in bytes: no Secret has room for more. */
export const valueAtMost = 1024 * 1024;

/** Why a value cannot be that of a variable; null where it can. */
export const largeValue = (value: string): string | null =>
  Buffer.byteLength(value) > valueAtMost ? `value must be at most ${valueAtMost} bytes` : null;
