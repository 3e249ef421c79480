import type { Summary } from '../../../api.ts';
import { Card } from '../../components/card.tsx';
import { ofObject } from '../../kindPages/service/concerns.ts';
import { Actions, type Action } from '../../components/actionButton.tsx';
import { LongText } from '../../components/longText.tsx';
import { Icon } from '../../components/icon.tsx';
import { Countdown, Since } from '../../components/times.tsx';
import { addressOf } from '../../routes.ts';
import { now } from '../../store/clock.ts';
import { useLoaded } from '../../store/loaded.ts';
import { isAdmin, mayAct } from '../../store/session.ts';
import { type Attention, attentionOf, isOfBackups } from './attention.ts';
import { checkOf } from '../../model/nextCheck.ts';
import { objectPageOf } from '../../model/objectPages.ts';
import { grouped } from '../../model/plural.ts';
import { projectWord } from '../../model/project.ts';
import { machineOfKind } from '../../model/resourceFilter.ts';
import { useTroubled } from './troubled.ts';
import { resourcePath, resourceRequest, requestCheck } from '../../api.ts';

const maxShown = 20;
/** Instances are judged anew each half minute, not each second. */
const reviewMs = 30_000;

interface AttentionListProps {
  /** Whether it is shown where nothing needs attention; a new installation has nothing to be well yet. */
  readonly isAlways: boolean;
  readonly projects: readonly Summary[];
}

/** What failed, is at risk, is retried, or has been stuck for over five minutes. */
export function AttentionList({ isAlways, projects }: AttentionListProps) {
  const { instances, isRead } = useTroubled();
  const items = attentionOf(instances, Math.floor(now.value / reviewMs) * reviewMs);
  if (items.length === 0 && !isAlways) return null;
  return (
    <Card title={<>Needs attention{items.length > 0 && ` (${grouped(items.length)})`}</>} label="Needs attention">
      {isRead && items.length === 0 && <p class="card-body muted">No problems.</p>}
      <ul>
        {items.slice(0, maxShown).map((item) => (
          <Item
            key={`${item.instance.machine} ${item.instance.id}`}
            item={item}
            project={projectWord(item.instance.project, projects)}
          />
        ))}
      </ul>
      {items.length > maxShown && (
        <p class="card-body muted">
          {grouped(items.length - maxShown)} more: <a href={`${addressOf.services()}?state=failed`}>failed services</a>,{' '}
          <a href={`${addressOf.services()}?retrying=true`}>retrying services</a>,{' '}
          <a href={addressOf.machines()}>every state machine</a>.
        </p>
      )}
    </Card>
  );
}

const isRetried = (kind: string): boolean => kind in machineOfKind;

const looks = {
  'At risk': ['waiting', 'bang'],
  Failed: ['bad', 'cross'],
  Retrying: ['waiting', 'hourglass'],
  Stuck: ['waiting', 'bang'],
} as const;

function addressOfItem({ instance }: Attention): string {
  const { kind, project, environment, name, machine, id } = instance;
  if (isOfBackups(instance)) return addressOf.database({ project, environment, name }, 'backups');
  if (isRetried(kind)) return addressOf.resource({ kind, project, environment, name });
  return objectPageOf(instance, isAdmin())?.to ?? addressOf.instance(machine, id);
}

/** The one action that helps: another try of a resource that was given up, otherwise a check at once. */
const remedyOf = ({ instance: { kind, name, machine, id }, label }: Attention): Action =>
  isRetried(kind) && label === 'Failed'
    ? { label: 'Retry', request: resourceRequest({ kind, name }, 'retry'), small: true }
    : { label: 'Check now', request: requestCheck(machine, id), small: true };

interface ItemProps {
  readonly item: Attention;
  readonly project: string;
}

/** What a resource says of itself, which is more than its last move; of others that is all there is. */
function useReason({ instance, reason }: Attention): string {
  const { kind, name } = instance;
  const isAsked = isRetried(kind) && !isOfBackups(instance);
  const { value } = useLoaded(isAsked ? resourcePath({ kind, name }, '') : null, ofObject(kind, name));
  return value?.resource.message || reason;
}

function Item({ item, project }: ItemProps) {
  const { instance, label, name } = item;
  const reason = useReason(item);
  const [tone, sign] = looks[label];
  const check = checkOf(instance);
  return (
    <li class="alert">
      <span class="chip" data-tone={tone}>
        <Icon name={sign} />
        <span>{label}</span>
      </span>
      <span class="alert-name">
        <a class="strong" href={addressOfItem(item)}>
          {name}
        </a>{' '}
        <span class="muted small">
          {instance.kind === 'CoreBuild' && 'build · '}
          {instance.kind === 'CoreProject' && 'project'}
          {isOfBackups(instance) && 'backups · '}
          {project}
          {instance.environment !== '' && ` / ${instance.environment}`}
        </span>
      </span>
      <span class="alert-text">
        <LongText text={reason} />
        {check !== null && (
          <span class="muted">
            {' · '}next check <Countdown {...check} />
          </span>
        )}
      </span>
      <span class="muted small nowrap">
        for <Since at={instance.since} />
      </span>
      {mayAct() && <Actions of={name} actions={[remedyOf(item)]} onDone={() => {}} />}
    </li>
  );
}
