import type { Machine } from '../../api.ts';
import { Columns } from '../components/columns.tsx';
import { ScrollBox } from '../components/scrollBox.tsx';
import { Words } from '../components/textWithCode.tsx';

type Line = readonly [name: string, words: string];

/** Where nothing more happens by itself and what leads on from there; the commands and who sends them. */
export function RestTable({ machine }: { readonly machine: Machine }) {
  const rests = machine.states.flatMap(({ name, restsUntil }): Line[] =>
    restsUntil === null ? [] : [[name, restsUntil]],
  );
  const asked = machine.asked.map(({ command, by }): Line => [command, by]);
  return (
    <details>
      <summary>Where it rests, and what may be asked of it</summary>
      <ScrollBox>
        <Lines columns={['State', 'Rests until']} lines={rests} />
        <Lines columns={['Command', 'Asked by']} lines={asked} />
      </ScrollBox>
    </details>
  );
}

const Lines = ({ columns, lines }: { readonly columns: readonly string[]; readonly lines: readonly Line[] }) =>
  lines.length === 0 ? null : (
    <table>
      <Columns names={columns} />
      <tbody>
        {lines.map(([name, words]) => (
          <tr key={name}>
            <td class="nowrap mono">{name}</td>
            <td>
              <Words text={words} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
