import { pathOf, type Sending } from '../apiClient/client.ts';
import { read } from '../apiClient/shape.ts';
import type { Run } from './command.ts';
import { type Status, statusShape } from './shapes.ts';
import { statePainter } from './text/colours.ts';
import type { Row } from './text/table.ts';

/** Reads what a service is doing. */
export async function readStatus(run: Run, app: string, sending: Sending = {}): Promise<Status> {
  const status = read(statusShape, await run.client().ask('GET', `${pathOf('apps', app)}/status`, sending));
  return status.name === undefined ? { ...status, name: app } : status;
}

function readyText({ replicas, sleeping }: Status): string {
  const { ready, desired } = replicas ?? {};
  if (ready === undefined || desired === undefined) return '';
  return sleeping ? '0/0 (asleep)' : `${ready}/${desired}`;
}

const messageOf = ({ build, message }: Status): string | undefined =>
  (build?.phase === 'Failed' && build.failureReason) || message;

const header = ['NAME', 'STATE', 'READY', 'BUILD', 'URL', 'MESSAGE'];

/** What services are doing, as a table. */
export function statusTable(run: Run, statuses: readonly Status[]): Promise<void> {
  const paint = statePainter(run.io);
  const rows = statuses.map((status): Row => [
    status.name,
    paint(status.state),
    readyText(status),
    paint(status.build?.phase),
    status.url,
    messageOf(status),
  ]);
  return run.table(header, rows);
}

/** The same as a table, or as JSON where that was asked for. */
export const printStatuses = (run: Run, statuses: readonly Status[]): Promise<void> =>
  run.globals.json ? run.json({ items: statuses }) : statusTable(run, statuses);
