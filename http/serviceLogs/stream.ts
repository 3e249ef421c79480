import type { CoreApp } from '../../crds/coreApp.ts';
import {
  isAfter,
  lineId,
  type LinePlace,
  type PlacedLine,
  shownLevel,
  type Wanted,
} from '../../rules/serviceLog/line.ts';
import { workloadPods } from '../../runtime/controllers/app/read.ts';
import { apps } from '../../runtime/services/cluster/kinds.ts';
import type { Operator } from '../../runtime/operator.ts';
import type { Channel } from '../events/channel.ts';
import { type Copy, copiesOf, isCopyOf } from './copies.ts';
import type { Joined, LogHub } from './hub.ts';
import { logLineOf } from './line.ts';

/** What a reader wants: `tail` lines of each copy to begin with, none older than `since`, or all after a place. */
export interface StreamWanted extends Wanted {
  readonly tail: number;
  /** ms since the epoch. */
  readonly since: number;
  readonly after: LinePlace | null;
}

interface Reading {
  readonly copy: Copy;
  readonly joined: Joined;
  readonly unlisten: () => void;
}

const keyOf = ({ uid, container }: Copy): string => `${uid} ${container}`;

/** Streams the log of a service to one reader: all its copies, those that come later too, until it is deleted. */
export function streamLog(
  {
    operator,
    hub,
    app,
    wanted,
  }: { readonly operator: Operator; readonly hub: LogHub; readonly app: CoreApp; readonly wanted: StreamWanted },
  channel: Channel,
): void {
  const { caches } = operator;
  const readings = new Map<string, Reading>();

  const send = (copy: Copy, line: PlacedLine): void => {
    const level = shownLevel(line.text, wanted);
    if (level === null) return;
    const { pod, container } = copy;
    const id = lineId({ ...line, pod, container });
    channel.write(`id: ${id}\ndata: ${JSON.stringify(logLineOf(app, copy, { ...line, level }))}\n\n`);
  };
  const isWanted = ({ pod, container }: Copy, line: PlacedLine): boolean =>
    line.at >= wanted.since && (wanted.after === null || isAfter({ ...line, pod, container }, wanted.after));

  const restartsOf = (copy: Copy) => () =>
    copiesOf(app, caches).find((one) => keyOf(one) === keyOf(copy))?.restarts ?? copy.restarts;

  const join = (copy: Copy) => ({ copy, joined: hub.join(copy, restartsOf(copy)) });

  /** Begins to read copies: their newest lines in order of time, then each further line. */
  const begin = async (copies: readonly Copy[], tail: number): Promise<void> => {
    const joining = copies.map(join);
    for (const { copy, joined } of joining) readings.set(keyOf(copy), { copy, joined, unlisten: () => {} });
    await Promise.all(joining.map(({ joined }) => joined.begun));
    if (!channel.isOpen()) return;
    const first = joining.flatMap(({ copy, joined }) =>
      joined
        .lines()
        .slice(-tail)
        .filter((line) => isWanted(copy, line))
        .map((line) => ({ copy, line })),
    );
    for (const { copy, line } of first.toSorted((a, b) => a.line.at - b.line.at || a.line.nanos - b.line.nanos))
      send(copy, line);
    for (const { copy, joined } of joining)
      readings.set(keyOf(copy), { copy, joined, unlisten: joined.listen((line) => send(copy, line)) });
  };
  const leave = ({ joined, unlisten }: Reading): void => {
    unlisten();
    joined.leave();
  };

  const isDeleted = () => caches.get(apps, app.metadata.name)?.metadata.uid !== app.metadata.uid;
  const end = (): void => {
    channel.write(`event: end\ndata: ${JSON.stringify({ reason: `service "${app.metadata.name}" was deleted` })}\n\n`);
    channel.end();
  };
  const readNext = (): void => {
    if (isDeleted()) return end();
    const copies = copiesOf(app, caches);
    for (const [key, reading] of readings)
      if (reading.joined.isOver() && !copies.some((copy) => keyOf(copy) === key)) {
        leave(reading);
        readings.delete(key);
      }
    const added = copies.filter((copy) => !readings.has(keyOf(copy)));
    if (added.length > 0) void begin(added, Infinity);
  };

  void begin(copiesOf(app, caches), wanted.after === null ? wanted.tail : Infinity);
  const { name } = app.metadata;
  const unsubscribers = [
    caches.of(workloadPods).onChange(({ object }) => isCopyOf(name, object) && readNext()),
    caches.of(apps).onChange(({ object }) => object.metadata.name === name && readNext()),
  ];
  channel.onClose(() => {
    for (const unsubscribe of unsubscribers) unsubscribe();
    for (const reading of readings.values()) leave(reading);
  });
}
