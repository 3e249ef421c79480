import type { Summary } from '../../../api.ts';
import { CauseHead } from '../../components/cause/causeHead.tsx';
import { Fix } from '../../components/cause/fix.tsx';
import { Note } from '../../components/note.tsx';
import { addressOf } from '../../routes.ts';
import { afterCause } from '../../model/cause.ts';
import { textsIn } from '../../model/details.ts';
import { lookOf } from '../../model/state.ts';
import { settingUp } from './text.ts';

interface ProjectStateProps {
  readonly project: Summary;
  readonly environment: string;
}

/** What is the matter with a project or its environment; nothing while all is well. Nobody retries a project (PRJ-129). */
export function ProjectState({ project, environment }: ProjectStateProps) {
  const { kind, name, state, message, cause, details } = project;
  const isGoing = textsIn(details['deleting']).includes(environment);
  if (state === 'ready' && !isGoing && cause === null) return null;
  const text = message || (isGoing ? `The environment ${environment} is being deleted.` : settingUp);
  return (
    <Note tone={lookOf(state).tone === 'bad' ? 'bad' : 'waiting'}>
      {cause && <CauseHead cause={cause} owner={{ kind, name, project: name, environment }} isWorst={false} />}
      {afterCause(cause, text)} <a href={addressOf.instance('projectReady', `coreprojects:${name}`)}>Why?</a>
      {cause && <Fix hint={cause.hint} />}
    </Note>
  );
}
