/** Refuses a count that is no whole number; which numbers are allowed is the API's to say. */
export function checkWhole(text: string): void {
  if (!/^-?\d{1,15}$/.test(text)) throw new Error('It must be a whole number.');
}
