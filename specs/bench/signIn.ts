import { hash } from 'bcryptjs';
import { serve } from '../http/served.ts';
import { median } from './measure.ts';

/** How long refusals take, in ms: the middle half of each kind. */
export interface SignInFigures {
  readonly wrong: Quartiles;
  readonly unknown: Quartiles;
  readonly locked: Quartiles;
  /** Whether each middle half reaches into each other one. */
  readonly overlap: boolean;
  /** The slowest median against the fastest. */
  readonly ratio: number;
}

interface Quartiles {
  readonly first: number;
  readonly median: number;
  readonly third: number;
}

const kinds = ['wrong', 'unknown', 'locked'] as const;
const rounds = 24;
const minuteMs = 60_000;

/** Refused sign-ins over HTTP: with a wrong password, with a name nobody has, and with a name that is locked. */
export async function signInFigures(): Promise<SignInFigures> {
  const password = await hash('right', 12);
  const user = { role: 'admin', password, epoch: 0 } as const;
  const served = await serve({}, { wrong: user, locked: user });
  const took: Record<(typeof kinds)[number], number[]> = { wrong: [], unknown: [], locked: [] };
  const attempt = async (username: string) => {
    const startedAt = performance.now();
    const body = JSON.stringify({ username, password: 'not this' });
    const { status } = await served.askPlain('/api/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    if (status !== 401) throw new Error(`a sign-in was answered ${status}`);
    return performance.now() - startedAt;
  };
  for (let failure = 0; failure < 5; failure++) await attempt('locked');
  // Taken in turns, so that what else the machine does hits all alike; the wrong one is never locked.
  for (let round = 0; round < rounds; round++)
    for (const kind of kinds) {
      served.clock.ahead = kind === 'wrong' ? (round + 2) * minuteMs * 2 : 0;
      took[kind].push(await attempt(kind));
    }
  await served.stop();
  const [wrong, unknown, locked] = kinds.map((kind) => quartiles(took[kind])) as [Quartiles, Quartiles, Quartiles];
  const all = [wrong, unknown, locked];
  const medians = all.map((one) => one.median);
  return {
    wrong,
    unknown,
    locked,
    overlap: Math.max(...all.map(({ first }) => first)) <= Math.min(...all.map(({ third }) => third)),
    ratio: Math.max(...medians) / Math.min(...medians),
  };
}

function quartiles(values: readonly number[]): Quartiles {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0;
  return { first: at(0.25), median: median(sorted), third: at(0.75) };
}
