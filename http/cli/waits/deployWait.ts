import { ApiFailure } from '../../apiClient/failure.ts';
import { deployWait } from '../../../machines/deployWait.ts';
import type { DeployWaitEvent, DeployWaitState } from '../../../machines/names.ts';
import { tables } from '../../../machines/tables.ts';
import { deployWaitEvents } from '../../../rules/deployWait/events.ts';
import {
  type DeployWaitFacts,
  type ServiceState,
  type StatusAnswer,
  waitLimits,
} from '../../../rules/deployWait/facts.ts';
import { type Absence, byState } from '../../../rules/engine.ts';
import { transitionOf } from '../../../runtime/step/transitionOf.ts';
import type { Move } from '../../../runtime/step/step.ts';
import type { Run } from '../command.ts';
import { CommandFailure, type Exit, exits } from '../exits.ts';
import type { Interrupt } from '../io.ts';
import type { Status } from '../shapes.ts';
import { readStatus } from '../statusTable.ts';
import { causeKey, causeText } from '../text/cause.ts';
import { plain } from '../text/plain.ts';
import { awaitedStatus } from './awaitedStatus.ts';
import type { Stepper } from '../../../runtime/contract/stepper.ts';

type State = DeployWaitState | Absence;

const stepper: Stepper<DeployWaitFacts, DeployWaitState, DeployWaitEvent['type']> = {
  name: 'deployWait',
  storage: 'memory',
  machine: deployWait,
  rows: tables.deployWait.rows,
  absence: tables.deployWait.absence,
  rules: byState(deployWaitEvents),
};

/** The exit code that each named action of the lifecycle stands for. */
const exitOf: Readonly<Record<string, Exit>> = {
  exitFailed: exits.deployFailed,
  exitTimedOut: exits.timedOut,
  exitNotFound: exits.notFound,
  exitNotAllowed: exits.notAllowed,
  exitOtherError: exits.otherError,
};

/** A service whose deploy was accepted. */
export interface Awaited {
  readonly app: string;
  readonly named: boolean;
  readonly listed: ServiceState;
  readonly timeoutMs: number | null;
}

/** How a wait ended, and the last status that was read. */
export interface Waited {
  readonly exit: Exit;
  readonly why: string;
  /** The status code of the refusal that ended it. */
  readonly refusedWith: number | null;
  readonly status: Status | null;
}

interface Read {
  readonly answer: StatusAnswer;
  readonly status: Status | null;
}

async function read(run: Run, app: string, sending: { signal: AbortSignal; timeoutMs: number }): Promise<Read> {
  try {
    const status = await readStatus(run, app, sending);
    return { answer: { is: 'found', status: awaitedStatus(status) }, status };
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    const { status: code, message: why } = error;
    return { answer: code === null ? { is: 'silent' } : { is: 'refused', code, why }, status: null };
  }
}

const readWithinMs = 30_000;
/** The read at the end of the time may still find that all is well. */
export const lastReadMs = 500;

/** Ctrl-C ends the wait alone. */
const givenUp = (app: string) =>
  new CommandFailure(exits.interrupted, `no longer waiting for ${app}: its deploy goes on`);

/** Waits for the deploy of one service, as the table of the lifecycle says, by a monotonic clock. */
export async function waitForDeploy(run: Run, awaited: Awaited, { signal }: Interrupt): Promise<Waited> {
  const { clock } = run.io;
  const startedAt = clock.monotonic();
  const deadline = startedAt + (awaited.timeoutMs ?? waitLimits.timeoutMs);
  const outcome = { ...awaited, wait: true, deploy: 'accepted' } as const;
  let facts: DeployWaitFacts = { ...outcome, now: startedAt, startedAt: null, answer: { is: 'silent' } };
  let state: State = '(none)';
  let status: Status | null = null;
  let shown = '';
  let toldCause = '';
  for (;;) {
    const move: Move<DeployWaitState> = transitionOf(stepper, state, facts);
    if (move.actions.includes('printProgress') && move.text !== shown) {
      shown = move.text;
      await run.note(`${plain(move.text)}\n`);
    }
    if (move.to !== 'Waiting') return endOf(move, facts, status);
    state = move.to;
    await clock.sleep(move.requeueAfterMs ?? 0, signal);
    if (signal.aborted) throw givenUp(awaited.app);
    // A read that hangs is cut off at the end of the wait.
    const timeoutMs = Math.max(lastReadMs, Math.min(readWithinMs, deadline - clock.monotonic()));
    const found = await read(run, awaited.app, { signal, timeoutMs });
    if (signal.aborted) throw givenUp(awaited.app);
    status = found.status ?? status;
    if (causeKey(status?.cause) !== toldCause) {
      toldCause = causeKey(status?.cause);
      if (status?.cause) await run.note(`${plain(awaited.app)}: ${causeText(status.cause)}\n`);
    }
    facts = { ...outcome, now: clock.monotonic(), startedAt, answer: found.answer };
  }
}

function endOf({ actions, text }: Move, { answer }: DeployWaitFacts, status: Status | null): Waited {
  const exit = actions.map((action) => exitOf[action]).find((code) => code !== undefined) ?? exits.success;
  return { exit, why: text, refusedWith: answer.is === 'refused' ? answer.code : null, status };
}
