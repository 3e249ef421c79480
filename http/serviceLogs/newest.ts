import { type PlacedLine, shownLevel, type Wanted } from '../../rules/serviceLog/line.ts';
import type { ServiceLogLine } from '../routes/apps/logShapes.ts';
import type { Copy } from './copies.ts';
import type { CopyRead } from './read.ts';

/** A line that a reader gets. */
export interface ShownLine extends Pick<PlacedLine, 'at' | 'nanos' | 'text'>, Pick<ServiceLogLine, 'level'> {
  readonly copy: Copy;
}

/** The newest of the wanted lines of all copies, the oldest first. */
export function newestOf(read: readonly CopyRead[], wanted: Wanted, count: number): readonly ShownLine[] {
  const shown: ShownLine[] = [];
  for (const one of read)
    if (one.is === 'read')
      for (const { at, nanos, text } of one.lines) {
        const level = shownLevel(text, wanted);
        if (level !== null) shown.push({ at, nanos, text, level, copy: one.copy });
      }
  return shown.sort((a, b) => a.at - b.at || a.nanos - b.nanos).slice(-count);
}
