import { useEffect } from 'preact/hooks';
import type { Machine } from '../../api.ts';
import { Table } from '../components/table/table.tsx';
import { TextWithCode } from '../components/textWithCode.tsx';
import { address } from '../router.ts';
import { plural } from '../model/plural.ts';

/** The machine's table as text: the same arrows for readers who do not use the drawing. */
export function ArrowTable({ machine }: { readonly machine: Machine }) {
  const aimed = address.value.hash.slice(1);
  const isAimed = machine.rows.some(({ id }) => id === aimed);
  useEffect(() => {
    if (isAimed) document.getElementById(aimed)?.scrollIntoView({ block: 'center' });
  }, [aimed, isAimed]);
  return (
    <details open={isAimed}>
      <summary>All {plural(machine.rows.length, 'transition')} as a table</summary>
      <Table
        columns={[
          { label: 'Row', look: 'nowrap mono', cell: ({ id }) => id },
          {
            label: 'From',
            cell: ({ from }) => (from.length === machine.states.length ? 'any state' : from.join(', ')),
          },
          { label: 'Event', look: 'mono', cell: ({ event }) => event },
          { label: 'When', cell: ({ when }) => <TextWithCode text={when} /> },
          { label: 'To', cell: ({ to }) => (to === 'same' ? 'keeps its state' : to) },
          { label: 'Next check', look: 'nowrap', cell: ({ look }) => (look === '' ? '' : look) },
        ]}
        rows={machine.rows}
        keyOf={({ id }) => id}
        idOf={({ id }) => id}
        isAimed={({ id }) => id === aimed}
      />
    </details>
  );
}
