import type { Row } from '../../api.ts';

/** The full text of the element under the pointer or the keyboard focus. */
export interface Detail {
  readonly title: string;
  readonly rows: readonly Row[];
}
