/** The most characters of the name of a variable. */
export const maxName = 200;

/** Whether a text can be the name of a variable. */
export const isVariableName = (text: string): boolean =>
  text.length <= maxName && /^[A-Za-z_][A-Za-z0-9_]*$/.test(text);
