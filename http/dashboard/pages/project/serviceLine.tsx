import type { SortKey } from '../../filter.ts';
import { StateChip } from '../../parts/stateChip.tsx';
import { Since } from '../../parts/times.tsx';
import { addressOf } from '../../routes.ts';
import { waits } from '../../words/project.ts';
import { kindOf, kindWords, type ServiceFilter, type ServiceRow, sinceOf } from '../../words/serviceFilter.ts';
import { stateWord } from '../../words/state.ts';
import { isWebAddress } from '../../words/url.ts';

interface ServiceHeadsProps {
  readonly filter: ServiceFilter;
  readonly onFilter: (filter: ServiceFilter) => void;
  readonly hasProject: boolean;
}

export const ServiceHeads = ({ hasProject, ...sorting }: ServiceHeadsProps) => (
  <div class="grid-head" role="row" aria-rowindex={1}>
    <Head name="state" word="State" {...sorting} />
    <Head name="name" word="Service" {...sorting} />
    {hasProject && <span role="columnheader">Project</span>}
    <span role="columnheader">Kind</span>
    <span role="columnheader">Copies</span>
    <span role="columnheader">Message</span>
    <Head name="since" word="Since" {...sorting} />
  </div>
);

interface HeadProps extends Pick<ServiceHeadsProps, 'filter' | 'onFilter'> {
  readonly name: SortKey;
  readonly word: string;
}

function Head({ name, word, filter, onFilter }: HeadProps) {
  const sorted = filter.sort === name;
  const falls = sorted && filter.reversed !== (name === 'since');
  return (
    <span role="columnheader" aria-sort={sorted ? (falls ? 'descending' : 'ascending') : 'none'}>
      <button type="button" onClick={() => onFilter({ ...filter, sort: name, reversed: sorted && !filter.reversed })}>
        {word}
        {sorted && (falls ? ' ↓' : ' ↑')}
      </button>
    </span>
  );
}

interface ServiceLineProps {
  readonly row: ServiceRow;
  readonly projectWord: ((name: string) => string) | undefined;
}

/** One service in a list. */
export function ServiceLine({ row, projectWord }: ServiceLineProps) {
  const { service, instance } = row;
  const { state, displayName, url, message, project, environment } = service;
  return (
    <>
      <span role="gridcell">
        <StateChip state={state} shown={stateWord(state)} />
      </span>
      <span role="gridcell" title={displayName}>
        <a class="name" href={addressOf.service(service)} tabIndex={-1}>
          {displayName}
        </a>
        {waits(service) && state !== 'draft' && <span class="flag">changes not deployed</span>}
      </span>
      {projectWord && (
        <span role="gridcell" class="small" title={`${projectWord(project)} / ${environment}`}>
          <a href={addressOf.project(service)} tabIndex={-1}>
            {projectWord(project)} / {environment}
          </a>
        </span>
      )}
      <span role="gridcell" class="small muted">
        {kindWords[kindOf(service)]}
      </span>
      <span role="gridcell" class="small muted">
        {copiesOf(row)}
      </span>
      <span role="gridcell" class="small" title={message}>
        {instance?.retrying === true && <span class="flag flag-first">retrying</span>}
        {state === 'ready' && isWebAddress(url) ? (
          <a href={url} target="_blank" rel="noreferrer" tabIndex={-1}>
            {url}
          </a>
        ) : (
          message
        )}
      </span>
      <span role="gridcell" class="small muted">
        <Since at={sinceOf(row)} />
      </span>
    </>
  );
}

/** As many as are asked for; autoscaling decides by itself. */
function copiesOf({ service: { details } }: ServiceRow): string {
  const { autoscaling, replicas } = details;
  if (autoscaling !== null && autoscaling !== undefined) return 'auto';
  return typeof replicas === 'number' ? String(replicas) : '';
}
