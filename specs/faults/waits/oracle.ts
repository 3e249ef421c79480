import type { Plan, Played, Told } from './play.ts';

/** How an answer ends a wait: by which row of the table, and with which code; a row that ends nothing has none. */
interface Verdict {
  readonly row: string;
  readonly exit?: number;
}

const isFinal = (code: number): boolean => code < 500 && code !== 408 && code !== 429;
const refusal = (code: number): number => ({ 404: 3, 401: 4, 403: 4 })[code] ?? 1;

interface Fields {
  readonly ready: boolean;
  readonly state: string;
  readonly pendingChanges: boolean;
  readonly build: { readonly phase: string } | null;
  readonly scaleToZero: { readonly active?: boolean } | null;
}

function ofRefusal(code: number): Verdict {
  if (!isFinal(code)) return { row: 'CLI-269b' };
  const exit = refusal(code);
  return { row: { 3: 'CLI-272a', 4: 'CLI-272b' }[exit] ?? 'CLI-272c', exit };
}

const ofPhase: Readonly<Record<string, Verdict>> = {
  Failed: { row: 'CLI-272', exit: 5 },
  Cancelled: { row: 'CLI-274' },
  Pending: { row: 'CLI-268' },
  WaitingForCI: { row: 'CLI-268' },
  Running: { row: 'CLI-268' },
};

/** Transcribed from specs/tables/deployWait.md; the end of the time is checked separately. */
function ofDeploy(said: Told['said']): Verdict {
  if (said === null) return { row: 'CLI-269b' };
  if ('code' in said) return ofRefusal(said.code);
  const { ready, state, pendingChanges, build } = said.status as unknown as Fields;
  if (ready && !pendingChanges && (build === null || build.phase === 'Succeeded')) return { row: 'CLI-270', exit: 0 };
  if (state === 'failed') return { row: 'CLI-271', exit: 5 };
  return ofPhase[build?.phase ?? ''] ?? { row: state === 'pending' ? 'CLI-269' : 'CLI-269a' };
}

/** Transcribed from specs/tables/sleepSetting.md. */
function ofSleep(said: Told['said']): Verdict {
  if (said !== null && 'code' in said && isFinal(said.code)) return { row: 'CLI-276a', exit: refusal(said.code) };
  const active = said !== null && 'status' in said ? (said.status as unknown as Fields).scaleToZero?.active : undefined;
  if (active === undefined) return { row: 'CLI-277a' };
  return active ? { row: 'CLI-275', exit: 0 } : { row: 'CLI-276', exit: 1 };
}

const rules = {
  deploy: { of: ofDeploy, limitMs: 600_000, late: { row: 'CLI-273', exit: 6 }, pollMs: 3_000 },
  sleep: { of: ofSleep, limitMs: 10_000, late: { row: 'CLI-277', exit: 1 }, pollMs: 1_000 },
} as const;
/** The last read may take so much longer than the time. */
const lastReadMs = 500;

interface Waited {
  readonly is: 'deploy' | 'sleep';
  readonly app: string;
  readonly begun: number;
  readonly limitMs: number;
}

/** What is wrong with how one service was waited for. */
function serviceFaults(reads: readonly Told[], { is, app, begun, limitMs }: Waited) {
  const { of, late, pollMs } = rules[is];
  const wrong: string[] = [];
  const verdicts = reads.map(({ said, at }): Verdict => {
    const verdict = of(said);
    return verdict.exit === undefined && at - begun >= limitMs ? late : verdict;
  });
  const endedAt = reads.at(-1)?.at ?? begun;
  const last = verdicts.at(-1)?.exit;
  if (last === undefined) wrong.push(`${app} is given up before its end`);
  if (verdicts.slice(0, -1).some(({ exit }) => exit !== undefined)) wrong.push(`${app} is read after its end`);
  const gaps = reads.map(({ begunAt }, index) => begunAt - (reads[index - 1]?.at ?? begun));
  if (gaps.some((gap) => gap > pollMs)) wrong.push(`${app} is not looked at for longer than ${pollMs} ms`);
  if (endedAt - begun > limitMs + lastReadMs) wrong.push(`${app} is waited for ${endedAt - begun} ms`);
  return { wrong, rows: verdicts.map(({ row }) => row), exit: last ?? 0, endedAt };
}

/** What is wrong with how a plan was played, and the rows that it walked. */
export function waitFaults({ life }: Plan, { exit, endedAt, told, lines }: Played, is: 'deploy' | 'sleep') {
  const { limitMs, pollMs } = rules[is];
  const wrong: string[] = [];
  const rows: string[] = [];
  let [begun, expected] = [0, 0];
  for (const app of Object.keys(life.services)) {
    const reads = told.filter((one) => one.app === app);
    const service = serviceFaults(reads, { is, app, begun, limitMs: life.timeoutMs ?? limitMs });
    wrong.push(...service.wrong);
    rows.push(...service.rows);
    if (expected === 0) expected = service.exit;
    begun = service.endedAt;
  }
  if (exit !== expected) wrong.push(`it exits with ${exit}, and not ${expected}`);
  if (endedAt - begun > pollMs) wrong.push('it ends long after its last read');
  if (lines.some((line, index) => line === lines[index - 1])) wrong.push('a line is printed twice');
  return { wrong, rows };
}
