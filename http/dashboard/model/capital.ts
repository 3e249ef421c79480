/** A first word that is a host, a field such as `databaseName`, or a path stays as it is written. */
const isName = (text: string): boolean => /^([^\s./]+[./][^\s]|[a-z]+[A-Z])/.test(text);

/** A text as a sentence begins. */
export const capital = (text: string): string =>
  isName(text) ? text : `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
