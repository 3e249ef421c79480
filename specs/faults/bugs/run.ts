import { buildSubject } from '../subjects/build.ts';
import { bugs } from './all.ts';
import type { Bug } from './bug.ts';
import { makeHosting, makeReplaceable } from './hosting.ts';
import { hunt, type Hunted } from './hunt.ts';
import { shownBy } from './shown.ts';

export interface BugOptions {
  /** Selects bugs whose name or family contains this text. */
  readonly only?: string;
  /** The maximum number of plans for each bug. */
  readonly mostTries: number;
  /** Begins with the plan that last caught each bug. */
  readonly asShown?: boolean;
  readonly atATime: number;
  readonly onHunted?: (hunted: Hunted) => void;
}

const isMeant = ({ name, family }: Bug, only: string | undefined): boolean =>
  only === undefined || name.includes(only) || family.includes(only);

/** Hunts every selected bug, several at a time. */
export async function runBugs({
  only,
  mostTries,
  atATime,
  asShown = false,
  onHunted,
}: BugOptions): Promise<readonly Hunted[]> {
  const left = bugs.filter((bug) => isMeant(bug, only));
  const done: Hunted[] = [];
  const replaceable = makeReplaceable();
  const work = async () => {
    const hosting = makeHosting(replaceable);
    try {
      for (let bug = left.shift(); bug; bug = left.shift()) {
        const first = asShown ? shownBy(bug) : null;
        const hunted = await hunt(bug, { subject: buildSubject, mostTries, hosting, first });
        done.push(hunted);
        onHunted?.(hunted);
      }
    } finally {
      hosting.end();
    }
  };
  try {
    await Promise.all(Array.from({ length: atATime }, work));
  } finally {
    await replaceable.end();
  }
  return done;
}
