import type { Machine } from '../../api.ts';
import { plural } from '../words/plural.ts';

/** The machine's table in words: the same arrows for those who do not look at the drawing. */
export const ArrowTable = ({ machine }: { readonly machine: Machine }) => (
  <details>
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
            <tr key={id} id={id}>
              <td class="nowrap mono">{id}</td>
              <td>{from.length === machine.states.length ? 'any state' : from.join(', ')}</td>
              <td class="mono">{event}</td>
              <td>{when}</td>
              <td>{to === 'same' ? 'stays' : to}</td>
              <td class="nowrap">{look === '' ? '' : look}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </details>
);
