import { useEffect } from 'preact/hooks';
import type { Machine } from '../../api.ts';
import { Words } from '../components/textWithCode.tsx';
import { address } from '../router.ts';
import { plural } from '../model/plural.ts';
import { Columns } from '../components/columns.tsx';
import { ScrollBox } from '../components/scrollBox.tsx';

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
      <ScrollBox>
        <table>
          <Columns names={['Row', 'From', 'Event', 'When', 'To', 'Next check']} />
          <tbody>
            {machine.rows.map(({ id, from, event, when, to, look }) => (
              <tr key={id} id={id} class={id === aimed ? 'aimed' : undefined}>
                <td class="nowrap mono">{id}</td>
                <td>{from.length === machine.states.length ? 'any state' : from.join(', ')}</td>
                <td class="mono">{event}</td>
                <td>
                  <Words text={when} />
                </td>
                <td>{to === 'same' ? 'keeps its state' : to}</td>
                <td class="nowrap">{look === '' ? '' : look}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </details>
  );
}
