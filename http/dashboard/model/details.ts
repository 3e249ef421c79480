import type { Summary } from '../../api.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object; none of anything else. */
export const fieldsIn = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

export const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

/** A detail that is text; empty where it is absent or hidden. */
export const detailOf = ({ details }: Pick<Summary, 'details'>, name: string): string => textIn(details[name]);
