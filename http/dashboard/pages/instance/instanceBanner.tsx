import type { InstanceRead } from '../../../api.ts';
import { Actions, type Action } from '../../components/actionButton.tsx';
import { checkNow, readsOnly } from '../../components/checkNow.ts';
import { Banner } from '../../components/banner/banner.tsx';
import { Failed, Note } from '../../components/note.tsx';
import { Since } from '../../components/times.tsx';
import { useMachines } from '../../store/machines.ts';
import { mayAct } from '../../store/session.ts';
import { shownBuild } from '../../model/cause.ts';
import { capital } from '../../model/capital.ts';
import { checkOf } from '../../model/nextCheck.ts';
import { instanceWords } from './text.ts';
import { alsoOf } from '../../model/state.ts';
import type { Reading } from './reading.ts';
import { useWhenDue } from './whenDue.ts';

interface InstanceBannerProps {
  readonly reading: Reading;
  readonly instance: InstanceRead;
}

/** The state of an instance, why, and until when; of a deleted object only that it is gone. */
export const InstanceBanner = ({ reading, instance }: InstanceBannerProps) =>
  instance.deletedAt === undefined ? (
    <StateBanner reading={reading} instance={instance} />
  ) : (
    <Note tone="idle">
      Deleted <Since at={instance.deletedAt} /> ago. Its history is kept for 30 days.
    </Note>
  );

function StateBanner({ reading, instance }: InstanceBannerProps) {
  const { explanation, transitions, causes, reload } = reading;
  useWhenDue(explanation.value && checkOf(explanation.value), explanation.reload);
  const machine = useMachines().value?.items.find(({ name }) => name === reading.machine);
  const words = explanation.value
    ? instanceWords({
        explanation: explanation.value,
        moves: transitions.value?.items ?? [],
        machine,
      })
    : { sentence: capital(instance.reason) };
  const actions = actionsOf(reading);
  return (
    <>
      <Failed failed={explanation.failed} readAt={explanation.readAt} retry={explanation.reload} />
      {!mayAct() && <p class="muted">{readsOnly}</p>}
      <Banner
        {...shownBuild({ ...instance, cause: causes[0] ?? null })}
        also={alsoOf(instance)}
        since={instance.since}
        {...words}
        causes={{ owner: instance, all: causes }}
        explanation={explanation.value}
        actions={actions.length > 0 && <Actions of={instance.name} actions={actions} onDone={reload} />}
      />
    </>
  );
}

/** The check, for what passes process, and the actions of its kind; hidden from users who may not use them. */
function actionsOf({ machine, id, page, input }: Reading): readonly Action[] {
  if (!mayAct()) return [];
  return [
    ...(page?.hasPasses === false ? [] : [checkNow(machine, id)]),
    ...(input ? (page?.actions(input) ?? []) : []),
  ];
}
