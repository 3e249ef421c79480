import { useSignal } from '@preact/signals';
import type { EnvironmentDeployed, Summary } from '../../../api.ts';
import { Card } from '../../components/card.tsx';
import { waitingIn } from '../../kindPages/lists.ts';
import { ofObject } from '../../kindPages/service/concerns.ts';
import { Command } from '../../components/copy.tsx';
import { Failed, Note } from '../../components/note.tsx';
import { Refused } from '../../components/refused.tsx';
import { addressOf, type Place } from '../../routes.ts';
import { useRows } from '../../store/list.ts';
import { useLoaded } from '../../store/loaded.ts';
import { useOffers } from '../../store/offered.ts';
import { firstRows } from '../../store/pages.ts';
import { mayAct } from '../../store/session.ts';
import { grouped, plural } from '../../model/plural.ts';
import { isDraft } from '../../model/gate.ts';
import { deployCommand } from '../../model/project.ts';
import { changesWord } from '../../model/service.ts';
import { write, resourcePath } from '../../api.ts';

interface DeployAllProps {
  readonly place: Place;
  /** How many resources wait. */
  readonly waiting: number;
  readonly onDone: () => void;
}

/** The bar of an environment in which something waits for a deploy; refusals are listed one by one. */
export function DeployAll({ place, waiting, onDone }: DeployAllProps) {
  const busy = useSignal(false);
  const isOpen = useSignal(false);
  const failed = useSignal('');
  const refused = useSignal<EnvironmentDeployed['refused']>([]);
  const deploy = async () => {
    if (busy.value) return;
    busy.value = true;
    const answer = await write(
      'POST /projects/{project}/deploy',
      { project: place.project },
      {
        environment: place.environment,
      },
    );
    busy.value = false;
    failed.value = answer.is === 'ok' ? '' : answer.error;
    refused.value = answer.is === 'ok' ? answer.value.refused : [];
    onDone();
  };
  useOffers(place.environment, waiting > 0 && mayAct() ? [{ label: 'Deploy changes', run: () => void deploy() }] : []);
  return (
    <>
      {waiting > 0 && (
        <Card label="Changes to deploy" tone="waiting">
          <div class="changes">
            <p>
              <b>{plural(waiting, 'resource has', 'resources have')} changes that are not deployed</b>
            </p>
            {mayAct() && (
              <button type="button" class="button button-main" aria-busy={busy.value} onClick={() => void deploy()}>
                {busy.value ? 'Deploying …' : 'Deploy changes'}
              </button>
            )}
          </div>
          <details class="why" onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
            <summary>Review</summary>
            {isOpen.value && (
              <>
                <AllWaiting place={place} count={waiting} />
                <Command what="the command that deploys them" text={deployCommand(place)} />
              </>
            )}
          </details>
        </Card>
      )}
      <Refused text={failed.value} />
      {refused.value.map(({ kind, name, error }) => (
        <Note key={`${kind} ${name}`} tone="bad">
          {name}: {error}
        </Note>
      ))}
    </>
  );
}

interface AllWaitingProps {
  readonly place: Place;
  readonly count: number;
}

/** The first of what waits, which is all of it but in a large environment. */
function AllWaiting({ place, count }: AllWaitingProps) {
  const lists = waitingIn(place).map((of) => useRows(of, firstRows));
  const shown = lists.flatMap(({ value }) => value?.items ?? []);
  const isRead = lists.every(({ value }) => value !== null);
  return (
    <>
      {lists.map(({ failed, readAt, reload }, index) => (
        <Failed key={index} failed={failed} readAt={readAt} retry={reload} />
      ))}
      <ul>
        {shown.map((resource) => (
          <Waiting key={`${resource.kind} ${resource.name}`} resource={resource} />
        ))}
      </ul>
      {isRead && count > shown.length && <p class="muted">And {grouped(count - shown.length)} more.</p>}
    </>
  );
}

function Waiting({ resource }: { readonly resource: Summary }) {
  const { value } = useLoaded(
    isDraft(resource) ? null : resourcePath(resource, '/changes'),
    ofObject(resource.kind, resource.name),
  );
  return (
    <li class="line">
      <a class="strong" href={addressOf.resource(resource)}>
        {resource.displayName}
      </a>
      <span class="line-text muted">
        {isDraft(resource) ? 'a draft; nothing runs yet' : value && changesWord(value.items)}
      </span>
    </li>
  );
}
