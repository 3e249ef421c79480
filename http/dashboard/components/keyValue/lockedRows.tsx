import type { Variable } from '../../../api.ts';
import { Columns } from '../columns.tsx';
import { ScrollBox } from '../scrollBox.tsx';

/** Variables that are set elsewhere: shown with where they come from, and not editable here. */
export const LockedRows = ({ variables }: { readonly variables: readonly Variable[] }) =>
  variables.length === 0 ? null : (
    <ScrollBox label="Injected variables">
      <table class="locked">
        <Columns names={['Injected', 'Value', 'From']} />
        <tbody>
          {variables.map(({ name, kind, value, from }) => (
            <tr key={name}>
              <td class="mono">{name}</td>
              <td class="mono wrap">{kind === 'secret' ? <span class="muted">secret</span> : value}</td>
              <td>{from}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
