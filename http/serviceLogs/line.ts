import type { CoreApp } from '../../crds/coreApp.ts';
import type { StampedLine } from '../../rules/serviceLog/line.ts';
import { isoTime } from '../../rules/time.ts';
import type { ServiceLogLine } from '../routes/apps/logShapes.ts';
import type { Copy } from './copies.ts';

/** A line of the log of a service as clients read it. */
export const logLineOf = (
  app: CoreApp,
  { pod, container }: Copy,
  { at, text, level }: Pick<StampedLine, 'at' | 'text'> & Pick<ServiceLogLine, 'level'>,
): ServiceLogLine => ({ t: isoTime(at), service: app.metadata.name, pod, container, line: text, level });
