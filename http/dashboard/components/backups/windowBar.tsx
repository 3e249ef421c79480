import type { RecoveryWindow } from '../../model/backups.ts';
import { plural } from '../../model/plural.ts';
import { dayMinute } from '../../model/time.ts';

/** The moments that can be restored, as a line with its points; the words under it say the same. */
export const WindowBar = ({ window: { start, end, points } }: { readonly window: RecoveryWindow }) => (
  <div class="card-body stack-tight">
    <div class="window-bar" aria-hidden="true">
      {points.map(({ id, at }) => (
        <i key={id} style={{ left: `${at * 100}%` }} />
      ))}
    </div>
    <p class="small">
      From {dayMinute(Date.parse(start))} to {dayMinute(Date.parse(end))}, {plural(points.length, 'restore point')}.
    </p>
  </div>
);
