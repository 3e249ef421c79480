import { Type } from '@sinclair/typebox';
import { type ReadonlyStatic, text } from '../../openapi/kit.ts';
import { id, instance, listedFields } from './shapes.ts';

/** The data of server-sent events, by the name of the event. */
export const streamed = {
  hello: Type.Object({ now: text('A time.'), resumed: Type.Boolean() }, { title: 'Hello' }),
  move: Type.Object({ ...listedFields, id, name: text(), uid: text(), kind: text(), instance }, { title: 'MoveEvent' }),
  instance,
  deleted: Type.Object({ id, name: text(), uid: text(), kind: text(), machine: text() }, { title: 'Deleted' }),
  change: Type.Object(
    {
      kind: text('Pod where pods of a service changed.'),
      name: text('Of a Pod the name of its service.'),
      project: text('Empty where it belongs to none.'),
      environment: text('Empty where it belongs to none.'),
      version: text('The version that was written; of the last one where it is deleted.'),
      deleted: Type.Boolean(),
    },
    { title: 'ChangeNotice' },
  ),
  reset: Type.Object({ reason: text() }, { title: 'Reset' }),
  tick: Type.Object({ now: text('A time.') }, { title: 'Tick' }),
};

type Streamed = typeof streamed;

/**
 * GET /api/v1/events: server-sent events. The id of a move or a deletion is `<at in ms>.<uid>.<seq>`; a resume by the
 * header Last-Event-ID or `?lastEventId=` sends everything since that id and from the 60 s before it, so clients drop
 * ids they know. `instance` reports changes without a move (paused, failing passes, another interval of checks or moment of the
 * next one; not that a check came and changed nothing), `change` names an
 * object of any kind that was written or deleted, so that a page which shows it reads it again. `reset` means that the
 * id is older than the kept history, or that the replica gained or lost leadership: read everything again. `tick` comes
 * every 15 s.
 */
export type StreamEvent = {
  readonly [Name in keyof Streamed]: { readonly event: Name; readonly data: ReadonlyStatic<Streamed[Name]> };
}[keyof Streamed];

/** An object that was written or deleted. */
export type ChangeNotice = ReadonlyStatic<Streamed['change']>;
