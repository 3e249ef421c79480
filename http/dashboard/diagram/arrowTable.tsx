import { useEffect } from 'preact/hooks';
import type { Machine } from '../../api.ts';
import { Words } from '../parts/words.tsx';
import { address } from '../router.ts';
import { plural } from '../words/plural.ts';

/** The machine's table in words: the same arrows for those who do not look at the drawing. */
export function ArrowTable({ machine }: { readonly machine: Machine }) {
  const aimed = address.value.hash.slice(1);
  const isAimed = machine.rows.some(({ id }) => id === aimed);
  useEffect(() => {
    if (isAimed) document.getElementById(aimed)?.scrollIntoView({ block: 'center' });
  }, [aimed, isAimed]);
  return (
    <details open={isAimed}>
      <summary>All {plural(machine.rows.length, 'arrow')} as a table</summary>
      <div class="scroll-x">
        <table>
          <thead>
            <tr>
              <th scope="col">Row</th>
              <th scope="col">From</th>
              <th scope="col">Event</th>
              <th scope="col">When</th>
              <th scope="col">To</th>
              <th scope="col">Looks again</th>
            </tr>
          </thead>
          <tbody>
            {machine.rows.map(({ id, from, event, when, to, look }) => (
              <tr key={id} id={id} class={id === aimed ? 'aimed' : undefined}>
                <td class="nowrap mono">{id}</td>
                <td>{from.length === machine.states.length ? 'any state' : from.join(', ')}</td>
                <td class="mono">{event}</td>
                <td>
                  <Words text={when} />
                </td>
                <td>{to === 'same' ? 'stays' : to}</td>
                <td class="nowrap">{look === '' ? '' : look}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
