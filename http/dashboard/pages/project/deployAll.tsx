import { useSignal } from '@preact/signals';
import type { EnvironmentDeployed, Summary } from '../../../api.ts';
import { act, api } from '../../api.ts';
import { Note } from '../../parts/note.tsx';
import { addressOf, type Place } from '../../routes.ts';
import { mayAct } from '../../store/session.ts';
import { plural } from '../../words/plural.ts';

interface DeployAllProps {
  readonly place: Place;
  readonly waiting: readonly Summary[];
  readonly onDone: () => void;
}

/** The bar of an environment in which something waits for a deploy; refusals are listed one by one. */
export function DeployAll({ place, waiting, onDone }: DeployAllProps) {
  const busy = useSignal(false);
  const failed = useSignal('');
  const refused = useSignal<EnvironmentDeployed['refused']>([]);
  const deploy = async () => {
    if (busy.value) return;
    busy.value = true;
    const answer = await act<EnvironmentDeployed>(api.deployProject(place.project), {
      environment: place.environment,
    });
    busy.value = false;
    failed.value = answer.is === 'ok' ? '' : answer.error;
    refused.value = answer.is === 'ok' ? answer.value.refused : [];
    onDone();
  };
  return (
    <>
      {waiting.length > 0 && (
        <section class="card changes" aria-label="Changes to deploy" data-tone="waiting">
          <p>
            <b>{plural(waiting.length, 'resource has', 'resources have')} changes that are not deployed:</b>{' '}
            {waiting.map((one, index) => (
              <>
                {index > 0 && ', '}
                <a href={addressOf.service(one)}>{one.displayName}</a>
              </>
            ))}
          </p>
          {mayAct() && (
            <button type="button" class="button button-main" aria-busy={busy.value} onClick={() => void deploy()}>
              {busy.value ? 'Deploying …' : 'Deploy changes'}
            </button>
          )}
        </section>
      )}
      {failed.value !== '' && <Note tone="bad">{failed.value}</Note>}
      {refused.value.map(({ kind, name, error }) => (
        <Note key={`${kind} ${name}`} tone="bad">
          {name}: {error}
        </Note>
      ))}
    </>
  );
}
