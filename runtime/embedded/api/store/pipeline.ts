import type { Change, Place, Stored } from '../../store.ts';

/** One change with its place and version, as it goes to the disk and then to memory. */
export interface Written {
  readonly change: Change;
  readonly place: Place;
  readonly revision: number;
}

/** The writes that reach the disk together; those behind see those before. */
export interface Batch {
  readonly read: (place: Place) => Stored | undefined;
  readonly nextRevision: () => number;
  readonly write: (change: Change, place: Place) => void;
}

type Run = (batch: Batch) => Stored;

/** What batches are checked against and where they go. */
export interface Ground {
  /** The version of the newest change that is stored. */
  readonly revision: () => number;
  readonly get: (place: Place) => Stored | undefined;
  /** Resolves when all is on the disk, rejects with why when nothing of it is. */
  readonly commit: (writes: readonly Written[]) => Promise<void>;
  /** What was committed may be seen. */
  readonly publish: (writes: readonly Written[]) => void;
  readonly refusal: (failure: unknown) => Error;
}

export interface Pipeline {
  /** Checked at once, answered once it is on the disk with all before it. */
  readonly add: (run: Run) => Promise<Stored>;
  /** Waits for all that was added. */
  readonly ended: () => Promise<void>;
}

/** What the writes of a batch leave at their places; nothing where they removed it. */
type Latest = Map<string, Stored | undefined>;

interface Gathered {
  readonly batch: Batch;
  readonly writes: Written[];
  readonly latest: Latest;
  readonly outcomes: Outcome[];
}

interface Outcome {
  readonly settle: () => void;
  readonly failed: (why: unknown) => void;
}

const keyOf = ({ bucket, namespace, name }: Place) => `${bucket}\0${namespace}\0${name}`;

const nothing: Latest = new Map();

/**
 * While one batch is committed the next one gathers, built on it. A commit that fails takes those with it that gathered
 * behind it: what they were checked against never came to be.
 */
export function createPipeline(ground: Ground): Pipeline {
  let gathering = gather(ground.revision(), nothing);
  let running: Promise<void> | null = null;

  function gather(base: number, behind: Latest): Gathered {
    const writes: Written[] = [];
    const latest: Latest = new Map();
    const nextRevision = () => base + writes.length + 1;
    const batch: Batch = {
      nextRevision,
      read(place) {
        const key = keyOf(place);
        const known = [latest, behind].find((places) => places.has(key));
        return known ? known.get(key) : ground.get(place);
      },
      write(change, place) {
        writes.push({ change, place, revision: nextRevision() });
        latest.set(keyOf(place), change.type === 'DELETED' ? undefined : change.object);
      },
    };
    return { batch, writes, latest, outcomes: [] };
  }

  async function commitAll() {
    // What arrives in the same turn of the event loop shares the commit.
    await new Promise((done) => setImmediate(done));
    while (gathering.outcomes.length > 0) {
      const underWay = gathering;
      gathering = gather(underWay.batch.nextRevision() - 1, underWay.latest);
      await commitOne(underWay);
    }
    // Here and not later: a write asked for in between would wait for nobody.
    running = null;
  }

  async function commitOne({ writes, outcomes }: Gathered) {
    try {
      if (writes.length > 0) await ground.commit(writes);
    } catch (failure) {
      const lost = [...outcomes, ...gathering.outcomes];
      gathering = gather(ground.revision(), nothing);
      const why = ground.refusal(failure);
      lost.forEach((outcome) => outcome.failed(why));
      return;
    }
    if (writes.length > 0) ground.publish(writes);
    outcomes.forEach((outcome) => outcome.settle());
  }

  return {
    add: (run) =>
      new Promise((done, failed) => {
        gathering.outcomes.push(attempt(run, gathering.batch, { done, failed }));
        running ??= commitAll();
      }),
    ended: async () => void (await running),
  };
}

/** Runs one write; its result is returned only after the commit. */
function attempt(
  run: Run,
  batch: Batch,
  { done, failed }: { readonly done: (object: Stored) => void; readonly failed: (why: unknown) => void },
): Outcome {
  try {
    const object = run(batch);
    return { settle: () => done(object), failed };
  } catch (why) {
    return { settle: () => failed(why), failed: () => failed(why) };
  }
}
