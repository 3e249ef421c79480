import type { Variable } from '../../../api.ts';
import { Table } from '../table/table.tsx';

/** Variables that are set elsewhere: shown with where they come from, and not editable here. */
export const LockedRows = ({ variables }: { readonly variables: readonly Variable[] }) =>
  variables.length === 0 ? null : (
    <Table
      columns={[
        { label: 'Injected', look: 'mono', cell: ({ name }) => name },
        {
          label: 'Value',
          look: 'mono wrap',
          cell: ({ kind, value }) => (kind === 'secret' ? <span class="muted">secret</span> : value),
        },
        { label: 'From', cell: ({ from }) => from },
      ]}
      rows={variables}
      keyOf={({ name }) => name}
      look="locked"
      label="Injected variables"
    />
  );
