import type { AttentionList as Answer, Instance, StreamEvent, Summary } from '../../../api.ts';
import { pathTo } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { Failed } from '../../components/note.tsx';
import { ofKinds } from '../../kindPages/service/concerns.ts';
import { grouped } from '../../model/plural.ts';
import { addressOf } from '../../routes.ts';
import { now } from '../../store/clock.ts';
import { instancesOf } from '../../store/fleet.ts';
import { type Reloading, useLoaded } from '../../store/loaded.ts';
import { usePages } from '../../store/usePages.ts';
import { AttentionRow } from './attentionRow.tsx';
import { platformItems, platformMachines } from './platformAttention.ts';
import { PlatformRow } from './platformItems.tsx';
import { noProblems } from './text.ts';

const maxShown = 20;
/** What becomes stuck does so by time alone: without events the list is read again after this. */
const reviewMs = 30_000;
/** The least time between two reads for the sake of events. */
const paceMs = 1000;

interface AttentionListProps {
  /** Whether it is shown where nothing needs attention; a new installation has nothing to be well yet. */
  readonly isAlways: boolean;
  readonly projects: readonly Summary[];
}

/** What needs attention: one row for each root and reason, with all that it holds up. */
export function AttentionList({ isAlways, projects }: AttentionListProps) {
  const attention = useAttention();
  const ofPlatform = platformItems(usePlatform(), Math.floor(now.value / reviewMs) * reviewMs);
  const { value, failed, readAt, reload } = attention;
  const items = value?.items ?? [];
  const count = (value === null ? 0 : countOf(value)) + ofPlatform.length;
  if (count === 0 && !isAlways) return null;
  const shown = items.slice(0, maxShown);
  return (
    <Card title={<>Needs attention{count > 0 && ` (${grouped(count)})`}</>} label="Needs attention">
      <Failed failed={failed} readAt={readAt} retry={reload} />
      {value !== null && count === 0 && <p class="card-body muted">{noProblems}</p>}
      <ul>
        {shown.map((item) => (
          <AttentionRow key={item.id} item={item} projects={projects} onDone={reload} />
        ))}
        {ofPlatform.map((item) => (
          <PlatformRow key={item.instance.machine} item={item} />
        ))}
      </ul>
      {count > shown.length + ofPlatform.length && (
        <p class="card-body muted">
          {grouped(count - shown.length - ofPlatform.length)} more:{' '}
          <a href={`${addressOf.services()}?state=failed`}>failed services</a>,{' '}
          <a href={addressOf.machines()}>every state machine</a>.
        </p>
      )}
    </Card>
  );
}

const countOf = ({ counts }: Answer): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

const ofCauses = ofKinds(
  'CoreApp',
  'CoreBuild',
  'CoreProject',
  'CoreDatabase',
  'CoreLogicalDatabase',
  'CoreObjectStore',
);

/** The items, read again when an object with causes is written, and when time alone may have changed them. */
function useAttention(): Reloading<Answer> {
  const concerns = (event: StreamEvent): boolean =>
    ofCauses(event) || (event.event === 'tick' && Date.now() - (attention.readAt ?? 0) > reviewMs);
  const attention: Reloading<Answer> = useLoaded(pathTo('GET /attention', {}), concerns, paceMs);
  return attention;
}

const none: readonly Instance[] = [];

const usePlatform = (): readonly Instance[] =>
  platformMachines.flatMap((machine) => usePages(instancesOf(machine), Infinity).value?.items ?? none);
