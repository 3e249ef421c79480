/** The command line's name. */
export const programName = 'core';

/** A word of a command as a POSIX shell reads it. */
export const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
