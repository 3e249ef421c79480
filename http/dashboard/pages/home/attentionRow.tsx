import { useSignal } from '@preact/signals';
import type { Attention, AttentionRetried, Summary } from '../../../api.ts';
import { write } from '../../api.ts';
import { CauseLine } from '../../components/cause/causeLine.tsx';
import { LongText } from '../../components/longText.tsx';
import { Note } from '../../components/note.tsx';
import { StateChip } from '../../components/stateChip.tsx';
import { Since } from '../../components/times.tsx';
import { kindWord } from '../../model/causePages.ts';
import { capital } from '../../model/capital.ts';
import { plural } from '../../model/plural.ts';
import { projectWord } from '../../model/project.ts';
import { stateWord } from '../../model/state.ts';
import { isAdmin, mayAct, mayReadSensitive } from '../../store/session.ts';
import { holdsUpText, ownerOf, pageOfHeld, type Remedy, remedyOf } from './attention.ts';
import { WordChip } from './wordChip.tsx';

interface AttentionRowProps {
  readonly item: Attention;
  readonly projects: readonly Summary[];
  readonly onDone: () => void;
}

/** One root that needs attention: word, object, cause, since when, what it holds up, and the one action that helps. */
export function AttentionRow({ item, projects, onDone }: AttentionRowProps) {
  const { word, cause, since, holdsUpCount } = item;
  const remedy = remedyOf(item, { mayAct: mayAct(), mayReadLogs: mayReadSensitive() });
  return (
    <li class="alert">
      <WordChip word={word} />
      <Subject item={item} projects={projects} />
      <div class="alert-text">
        <div>
          <LongText text={capital(cause.message)} />
          {cause.resolved && <span class="muted"> · that is over</span>}
        </div>
        <CauseLine cause={cause} owner={ownerOf(item)} />
        {holdsUpCount > 0 && <HoldsUp item={item} />}
      </div>
      <span class="muted small nowrap">
        for <Since at={since} />
      </span>
      {remedy && <Remedied remedy={remedy} item={item} onDone={onDone} />}
    </li>
  );
}

/** The object: its name as a link, then what and where it is. */
function Subject({ item: { object }, projects }: Pick<AttentionRowProps, 'item' | 'projects'>) {
  const { kind, displayName, project, environment } = object;
  const page = pageOfHeld(object, isAdmin());
  const place = kind === 'CoreProject' ? '' : projectWord(project, projects);
  return (
    <span class="alert-name">
      {page === null ? (
        <span class="strong">{displayName}</span>
      ) : (
        <a class="strong" href={page}>
          {displayName}
        </a>
      )}{' '}
      <span class="muted small">
        {kind !== 'CoreApp' && kindWord(kind)}
        {kind !== 'CoreApp' && place !== '' && ' · '}
        {place}
        {environment !== '' && ` / ${environment}`}
      </span>
    </span>
  );
}

function HoldsUp({ item }: Pick<AttentionRowProps, 'item'>) {
  const { holdsUp, holdsUpCount } = item;
  const text = holdsUpText(item);
  if (holdsUp.length === 0) return <div class="muted small">{text}</div>;
  const left = holdsUpCount - holdsUp.length;
  return (
    <details class="holds-up">
      <summary class="muted small">{text}</summary>
      <ul>
        {holdsUp.map((held) => {
          const page = pageOfHeld(held, isAdmin());
          return (
            <li key={`${held.kind} ${held.name}`}>
              {page === null ? held.name : <a href={page}>{held.name}</a>}{' '}
              <StateChip state={held.state} shown={stateWord(held.state)} />
            </li>
          );
        })}
        {left > 0 && <li class="muted small">{left} more</li>}
      </ul>
    </details>
  );
}

interface RemediedProps extends Pick<AttentionRowProps, 'item' | 'onDone'> {
  readonly remedy: Remedy;
}

const Remedied = ({ remedy, ...rest }: RemediedProps) =>
  remedy.is === 'link' ? (
    <a class="button button-small" href={remedy.to}>
      {remedy.label}
    </a>
  ) : (
    <RetryAll label={remedy.label} {...rest} />
  );

const answerOf = ({ retried, refused }: AttentionRetried): string =>
  [`${plural(retried.length, 'object')} retried`, ...refused.map(({ name, error }) => `${name}: ${error}`)].join('. ');

function RetryAll({ label, item, onDone }: Pick<RemediedProps, 'item' | 'onDone'> & { readonly label: string }) {
  const isBusy = useSignal(false);
  const result = useSignal<{ readonly tone: 'good' | 'bad'; readonly text: string } | null>(null);
  const retry = async () => {
    if (isBusy.value) return;
    isBusy.value = true;
    const answer = await write('POST /attention/{id}/retry', { id: item.id });
    isBusy.value = false;
    result.value =
      answer.is === 'ok'
        ? { tone: answer.value.refused.length === 0 ? 'good' : 'bad', text: answerOf(answer.value) }
        : { tone: 'bad', text: answer.error };
    onDone();
  };
  return (
    <div class="stack-tight">
      <button
        type="button"
        class="button button-small"
        aria-disabled={isBusy.value}
        aria-busy={isBusy.value}
        aria-label={`${label}: ${item.object.displayName}`}
        onClick={() => void retry()}
      >
        {label}
      </button>
      {result.value && <Note tone={result.value.tone}>{result.value.text}</Note>}
    </div>
  );
}
