import { ApiFailure } from '../../apiClient/failure.ts';
import type { SleepSettingEvent, SleepSettingState } from '../../../machines/names.ts';
import { sleepSetting } from '../../../machines/sleepSetting.ts';
import { tables } from '../../../machines/tables.ts';
import { type Absence, byState } from '../../../rules/engine.ts';
import { sleepSettingEvents } from '../../../rules/sleepSetting/events.ts';
import { type SleepAnswer, sleepLimits, type SleepSettingFacts } from '../../../rules/sleepSetting/facts.ts';
import { transitionOf } from '../../../runtime/step/transitionOf.ts';
import type { Move } from '../../../runtime/step/step.ts';
import type { Run } from '../command.ts';
import { CommandFailure, type Exit, exitOfStatus, exits } from '../exits.ts';
import { readStatus } from '../statusTable.ts';
import { lastReadMs } from './deployWait.ts';
import type { Stepper } from '../../../runtime/contract/stepper.ts';

type State = SleepSettingState | Absence;

const stepper: Stepper<SleepSettingFacts, SleepSettingState, SleepSettingEvent['type']> = {
  name: 'sleepSetting',
  storage: 'memory',
  machine: sleepSetting,
  rows: tables.sleepSetting.rows,
  absence: tables.sleepSetting.absence,
  rules: byState(sleepSettingEvents),
};

async function read(run: Run, app: string, sending: { signal: AbortSignal; timeoutMs: number }): Promise<SleepAnswer> {
  try {
    const { scaleToZero } = await readStatus(run, app, sending);
    return { is: 'found', active: scaleToZero?.active ?? null, message: scaleToZero?.message ?? '' };
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    const { status: code, message: why } = error;
    return code === null ? { is: 'silent' } : { is: 'refused', code, why };
  }
}

/** The setting before it is sent. */
const unsaved = (run: Run, app: string, wanted: SleepSettingFacts['wanted']): SleepSettingFacts => ({
  now: run.io.clock.monotonic(),
  app,
  wanted,
  setting: { is: 'saved' },
  savedAt: null,
  answer: { is: 'silent' },
});

/** Refuses a duration that is out of range, before anything is sent. */
export function checkWanted(run: Run, app: string, wanted: SleepSettingFacts['wanted']): void {
  const { event, text } = transitionOf(stepper, '(none)', unsaved(run, app, wanted));
  if (event === 'durationRefused') throw new CommandFailure(exits.usage, text);
}

/** How a saved setting came out: the message, and the exit code. */
export interface Settled {
  readonly exit: Exit;
  readonly text: string;
}

/** Waits until the cluster says whether a service can sleep, as the table of the lifecycle says. */
export async function settle(run: Run, app: string, wanted: SleepSettingFacts['wanted']): Promise<Settled> {
  const { clock, catchInterrupt } = run.io;
  const { signal, release } = catchInterrupt();
  const initial = unsaved(run, app, wanted);
  const savedAt = initial.now;
  const stopped = () => new CommandFailure(exits.interrupted, `saved; no longer waiting whether ${app} can sleep`);
  let facts = initial;
  let state: State = '(none)';
  try {
    for (;;) {
      const move: Move<SleepSettingState> = transitionOf(stepper, state, facts);
      if (move.to !== 'Saved') return endOf(move, facts);
      state = move.to;
      await clock.sleep(move.requeueAfterMs ?? 0, signal);
      if (signal.aborted) throw stopped();
      const timeoutMs = Math.max(lastReadMs, savedAt + sleepLimits.answerMs - clock.monotonic());
      const answer = await read(run, app, { signal, timeoutMs });
      if (signal.aborted) throw stopped();
      facts = { ...initial, savedAt, now: clock.monotonic(), answer };
    }
  } finally {
    release();
  }
}

function endOf(
  { actions, text, event }: { readonly actions: readonly string[]; readonly text: string; readonly event: string },
  { answer }: SleepSettingFacts,
): Settled {
  if (event === 'alwaysOnSaved' || actions.includes('exitSleeps')) return { exit: exits.success, text };
  const code = actions.includes('exitRefused') && answer.is === 'refused' ? answer.code : null;
  return { exit: exitOfStatus(code), text };
}
