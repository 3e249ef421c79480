import type { SleepSettingEvent, SleepSettingState } from '../../../machines/names.ts';
import type { Absence } from '../../../rules/engine.ts';
import type { SleepSettingFacts } from '../../../rules/sleepSetting/facts.ts';

type Event = SleepSettingEvent['type'];

/** Document 002, scale: 30 seconds to 24 hours, checked before anything is sent; `--always-on` needs no check. */
function begun({ wanted, setting }: SleepSettingFacts): Event {
  if (wanted.is === 'sleepAfter' && (wanted.ms < 30_000 || wanted.ms > 24 * 3_600_000)) return 'durationRefused';
  if (setting.is === 'refused') return 'settingRefused';
  return wanted.is === 'alwaysOn' ? 'alwaysOnSaved' : 'settingSaved';
}

/** Document 002, scale: the command waits up to 10 seconds for the confirmation of the cluster. */
function waited({ now, savedAt, answer }: SleepSettingFacts): Event {
  if (answer.is === 'found' && answer.active !== null) return answer.active ? 'sleepFound' : 'sleepRefused';
  const passing = [408, 429];
  if (answer.is === 'refused' && answer.code <= 499 && !passing.includes(answer.code)) return 'statusRefused';
  return savedAt !== null && now - savedAt >= 10_000 ? 'answerMissed' : 'answerAwaited';
}

/** Document 002, scale, written down a second time: what happened to a sleep setting. */
export function documents(state: SleepSettingState | Absence, facts: SleepSettingFacts): Event | null {
  if (state === '(none)') return begun(facts);
  return state === 'Saved' ? waited(facts) : null;
}

const messageOf: Readonly<Record<Event, string>> = {
  durationRefused: 'CLI-197',
  settingRefused: 'CLI-254',
  alwaysOnSaved: 'CLI-210',
  settingSaved: 'CLI-202',
  sleepFound: 'CLI-209',
  sleepRefused: 'CLI-204',
  statusRefused: 'CLI-259',
  answerMissed: 'CLI-205',
  answerAwaited: 'CLI-041',
};

/** The output of the command, by the id of its row. */
export const documentsOfMessage = (facts: SleepSettingFacts): string =>
  messageOf[facts.savedAt === null ? begun(facts) : waited(facts)];
