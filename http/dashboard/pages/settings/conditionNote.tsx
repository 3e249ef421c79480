import type { Settings } from '../../../api.ts';
import { Note } from '../../parts/note.tsx';
import { Since } from '../../parts/times.tsx';
import { conditionLook } from '../../words/platform.ts';

interface ConditionNoteProps {
  readonly settings: Settings;
  readonly type: string;
  /** What is said where the condition is absent. */
  readonly absent: string;
}

/** What the platform found out about a setting, and for how long it has been so. */
export function ConditionNote({ settings: { conditions }, type, absent }: ConditionNoteProps) {
  const told = conditionLook(conditions, type);
  if (told === null) return <Note tone="idle">{absent}</Note>;
  return (
    <Note tone={told.tone}>
      <strong>{told.reason}</strong> {told.message}{' '}
      <span class="muted small">
        for <Since at={told.lastTransitionTime} />
      </span>
    </Note>
  );
}
