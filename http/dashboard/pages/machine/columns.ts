import type { Instance } from '../../../api.ts';
import { type AnyKindPage, type KindColumn } from '../../kindPages/kindPage.ts';
import { kindPageOf } from '../../kindPages/kinds.ts';
import { machineColumns } from '../../kindPages/machineColumns.ts';

/** One column of a list of instances, in addition to the common ones. */
export interface ListColumn {
  readonly label: string;
  readonly textOf: (instance: Instance) => string;
  /** Whether its values are hashes or similar. */
  readonly isCode: boolean;
}

const shownBy = ({ name, label, shorten }: KindColumn): ListColumn => ({
  label,
  isCode: shorten !== undefined,
  textOf: ({ columns }) => {
    const value = columns[name] ?? '';
    return shorten?.(value) ?? value;
  },
});

const kindColumn: ListColumn = { label: 'Kind', isCode: false, textOf: ({ kind }) => kind };

/** The columns of a machine or of its kind; several kinds share only the column that names the kind. */
export function columnsOf(machine: string, kinds: readonly string[]): readonly ListColumn[] {
  const own = machineColumns[machine];
  if (own) return own.map(shownBy);
  const [page, ...others] = kinds.flatMap((kind): readonly (AnyKindPage | undefined)[] => [kindPageOf(kind)]);
  return others.length > 0 || page === undefined ? [kindColumn] : page.columns.map(shownBy);
}
