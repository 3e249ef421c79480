import * as assert from 'uvu/assert';

/** What a writer asks of one object; `turn` is what it writes into it, like no other writer and no other time. */
export type Ask =
  | { readonly does: 'create' | 'patch'; readonly name: string; readonly turn: string }
  /** Replaces the version that it has seen. */
  | { readonly does: 'replace'; readonly name: string; readonly turn: string; readonly seen: number }
  /** Writes only over what it expects. */
  | { readonly does: 'test'; readonly name: string; readonly turn: string; readonly expected: string }
  /** Null deletes whatever version there is. */
  | { readonly does: 'delete'; readonly name: string; readonly seen: number | null }
  | { readonly does: 'read'; readonly name: string };

/** A request and its answer, with the moments in which they left and came. */
export interface Call {
  readonly ask: Ask;
  readonly invoked: number;
  readonly answered: number;
  readonly code: number;
  /** Of the object in the answer; 0 where there is none. */
  readonly version: number;
  /** Of the object that was deleted. */
  readonly uid: string;
}

/** A change as a watch showed it. */
export interface Watched {
  readonly type: string;
  readonly name: string;
  readonly version: number;
  readonly uid: string;
  readonly turn: string;
}

type State = Watched | null;

/** The answer that an object in this state gives. */
function codeOf(ask: Ask, state: State): number {
  if (ask.does === 'create') return state ? 409 : 201;
  if (!state) return 404;
  if (ask.does === 'replace' && ask.seen !== state.version) return 409;
  if (ask.does === 'delete' && ask.seen !== null && ask.seen !== state.version) return 409;
  return ask.does === 'test' && ask.expected !== state.turn ? 422 : 200;
}

const changeOf = {
  create: 'ADDED',
  patch: 'MODIFIED',
  replace: 'MODIFIED',
  test: 'MODIFIED',
  delete: 'DELETED',
} as const;

/** Fails unless one order of all calls, in which each takes effect between its request and its answer, explains all. */
export function checkLinearizable(calls: readonly Call[], watched: readonly Watched[]): void {
  const stateAt = replayed(watched);
  const points = new Map(calls.flatMap((call) => pointOf(call, watched)));
  assert.is(points.size, watched.length, 'every change that was watched is of one write, and every write is watched');
  for (const [call, version] of points) {
    const { ask } = call;
    assert.is(codeOf(ask, stateAt(ask.name, version - 1)), call.code, `${JSON.stringify(call)} at ${version}`);
  }
  const { floor, ceiling } = bounds(calls, points);
  for (const call of calls) {
    const [from, to] = [floor(call), ceiling(call)];
    const point = points.get(call);
    if (point !== undefined) assert.ok(from < point && point <= to, `${JSON.stringify(call)} at ${point}`);
    else {
      const moments = [
        from,
        ...watched.map(({ version }) => version).filter((version) => version > from && version <= to),
      ];
      const explained = moments.some((moment) => explains(call, stateAt(call.ask.name, moment)));
      assert.ok(explained, `nothing between ${from} and ${to} explains ${JSON.stringify(call)}`);
    }
  }
}

const explains = ({ ask, code, version }: Call, state: State) =>
  codeOf(ask, state) === code && (ask.does !== 'read' || code !== 200 || state?.version === version);

/** The objects at every version; fails where a change does not follow from the one before. */
function replayed(watched: readonly Watched[]) {
  const histories = new Map<string, Watched[]>();
  for (const [index, change] of watched.entries()) {
    assert.ok(change.version > (watched[index - 1]?.version ?? 0), 'versions rise');
    const history = histories.get(change.name) ?? [];
    const before = aliveIn(history.at(-1));
    assert.is(change.type === 'ADDED', before === null, `${JSON.stringify(change)} after ${JSON.stringify(before)}`);
    if (before) assert.is(change.uid, before.uid);
    histories.set(change.name, [...history, change]);
  }
  return (name: string, version: number): State =>
    aliveIn(histories.get(name)?.findLast((change) => change.version <= version));
}

const aliveIn = (last: Watched | undefined): State => (last && last.type !== 'DELETED' ? last : null);

/** The version that a write made. */
function pointOf(call: Call, watched: readonly Watched[]): readonly (readonly [Call, number])[] {
  const { ask, code, uid, version } = call;
  if (ask.does === 'read' || code >= 300) return [];
  const change =
    ask.does === 'delete'
      ? watched.find((one) => one.type === 'DELETED' && one.uid === uid)
      : watched.find((one) => one.version === version);
  assert.ok(change, `the write ${JSON.stringify(call)} is watched`);
  assert.is(change?.type, changeOf[ask.does]);
  if (ask.does !== 'delete') assert.is(change?.turn, ask.turn);
  return [[call, change?.version ?? 0]];
}

/** What the calls that were over before one, and those that began after it, leave of the moments it can have had. */
function bounds(calls: readonly Call[], points: ReadonlyMap<Call, number>) {
  const reached = (call: Call) => points.get(call) ?? (call.ask.does === 'read' ? call.version : 0);
  return {
    floor: ({ invoked }: Call) =>
      Math.max(0, ...calls.filter(({ answered }) => answered < invoked).map((one) => reached(one))),
    ceiling: ({ answered }: Call) =>
      Math.min(
        Number.MAX_SAFE_INTEGER,
        ...calls.filter((one) => one.invoked > answered).map((one) => (points.get(one) ?? Infinity) - 1),
      ),
  };
}
