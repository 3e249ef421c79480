import type { InstanceRead } from '../../../api.ts';
import { api } from '../../api.ts';
import { Actions, type Asked } from '../../parts/actionButton.tsx';
import { lookAt } from '../../parts/ask.ts';
import { CopyButton } from '../../parts/copy.tsx';
import { Skeleton } from '../../parts/note.tsx';
import { StateChip } from '../../parts/stateChip.tsx';
import { Since } from '../../parts/times.tsx';
import type { Reading } from './reading.ts';

/** The instance: its name, its state and since when, its links, and its actions. */
export function InstanceHead({ reading }: { readonly reading: Reading }) {
  const { id, page, given, reload } = reading;
  const instance = reading.instance.value;
  const title = (given && page?.title(given.object)) ?? instance?.name ?? id;
  const isThere = instance !== null && instance.deletedAt === undefined;
  const actions = isThere ? actionsOf(reading) : [];
  return (
    <div class="page-head">
      <div>
        <div class="row">
          <h1>{title}</h1>
          {instance && title !== instance.name && <span class="muted mono">{instance.name}</span>}
          {instance && <CopyButton text={instance.name} what={`the name ${instance.name}`} />}
        </div>
        <div class="row" style={{ marginTop: '8px', minHeight: '28px' }}>
          {instance ? <HeadLine instance={instance} reading={reading} /> : <Skeleton height={28} width="240px" />}
        </div>
      </div>
      {actions.length > 0 && <Actions label="Ask for" actions={actions} onDone={reload} />}
    </div>
  );
}

/** A look, where passes look at it at all, and what its kind adds. */
const actionsOf = ({ machine, id, page, given }: Reading): readonly Asked[] => [
  ...(page?.hasPasses === false ? [] : [lookAt(`${api.instance(machine, id)}/look`)]),
  ...(given ? (page?.actions(given) ?? []) : []),
];

interface HeadLineProps {
  readonly instance: InstanceRead;
  readonly reading: Reading;
}

const HeadLine = ({ instance, reading: { page, given } }: HeadLineProps) => (
  <>
    <span role="status">
      <StateChip state={instance.state} shown={instance.shown} large />
    </span>
    <Lasted instance={instance} />
    <span class="muted small">{placeOf(instance)}</span>
    {instance.retrying && <span class="flag">retrying{countOf(instance)}</span>}
    {instance.paused && <span class="flag">paused</span>}
    {given &&
      page?.flags(given.object).map((flag) => (
        <span key={flag} class="flag">
          {flag}
        </span>
      ))}
    {given &&
      page?.links(given.object).map(({ to, word }) => (
        <a key={to} href={to}>
          {word}
        </a>
      ))}
  </>
);

/** How long it has been in its state, or deleted. */
const Lasted = ({ instance: { since, deletedAt } }: { readonly instance: InstanceRead }) =>
  deletedAt === undefined ? (
    <span class="muted">
      for <Since at={since} />
    </span>
  ) : (
    <span class="muted">
      Deleted <Since at={deletedAt} /> ago
    </span>
  );

const countOf = ({ failures }: InstanceRead): string => (failures !== null && failures > 0 ? ` ${failures}` : '');

const placeOf = ({ kind, project, environment }: InstanceRead): string =>
  [kind, project, environment].filter((part) => part !== '').join(' · ');
