/** A first word that is a host, a field or a path stays as it is written. */
const isName = (text: string): boolean => /^[^\s./]+[./][^\s]/.test(text);

/** A text as a sentence begins. */
export const capital = (text: string): string =>
  isName(text) ? text : `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
