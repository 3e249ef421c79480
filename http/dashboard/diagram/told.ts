import type { Row } from '../../api.ts';

/** What the pointer or the keyboard is on, in full. */
export interface Told {
  readonly title: string;
  readonly rows: readonly Row[];
}
