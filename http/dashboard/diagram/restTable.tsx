import type { Machine } from '../../api.ts';
import { ScrollBox } from '../components/scrollBox.tsx';
import { Table } from '../components/table/table.tsx';
import { TextWithCode } from '../components/textWithCode.tsx';

type Line = readonly [name: string, text: string];

interface LinesProps {
  readonly columns: readonly [name: string, text: string];
  readonly lines: readonly Line[];
}

/** Where nothing more happens by itself and what leads on from there; the commands and who sends them. */
export function RestTable({ machine }: { readonly machine: Machine }) {
  const rests = machine.states.flatMap(({ name, restsUntil }): Line[] =>
    restsUntil === null ? [] : [[name, restsUntil]],
  );
  const asked = machine.asked.map(({ command, by }): Line => [command, by]);
  return (
    <details>
      <summary>Resting states and commands</summary>
      <ScrollBox>
        <Lines columns={['State', 'Rests until']} lines={rests} />
        <Lines columns={['Command', 'Asked by']} lines={asked} />
      </ScrollBox>
    </details>
  );
}

const Lines = ({ columns, lines }: LinesProps) =>
  lines.length === 0 ? null : (
    <Table
      scrolls={false}
      columns={[
        { label: columns[0], look: 'nowrap mono', cell: ([name]) => name },
        { label: columns[1], cell: ([, text]) => <TextWithCode text={text} /> },
      ]}
      rows={lines}
      keyOf={([name]) => name}
    />
  );
