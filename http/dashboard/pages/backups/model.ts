import type { Summary } from '../../../api.ts';
import { type Filter } from '../../model/filter.ts';
import { searchedIn, shownBy } from '../../model/filtered.ts';
import { archiveWord } from '../../model/backups.ts';
import { detailOf } from '../../model/details.ts';

/** The states of archives in the order in which they are counted, with their words. */
export const archiveStates = ['ready', 'pending', 'deleting', 'failed'].map(
  (state) => [state, archiveWord(state)] as const,
);

/** The projects of archives, each once; one that is gone may have left some. */
export const projectsOf = (archives: readonly Summary[]): readonly string[] =>
  [...new Set(archives.map(({ project }) => project))].toSorted();

const engineOf = (archive: Summary): string => detailOf(archive, 'engine');

/** The engines of archives, each once; none where the reader may not see them. */
export const enginesOf = (archives: readonly Summary[]): readonly string[] =>
  [...new Set(archives.map(engineOf))].filter((engine) => engine !== '').toSorted();

const searched = (archive: Summary, projectWord: (name: string) => string): string => {
  const { name, displayName, project, environment, state, message }: Partial<Summary> = archive;
  const database = detailOf(archive, 'database');
  return searchedIn([
    name,
    displayName,
    database,
    project,
    projectWord(project),
    environment,
    archiveWord(state),
    message,
  ]);
};

/** The archives that match a filter: by state, text, project and engine. */
export const shownArchives = (
  archives: readonly Summary[],
  filter: Filter,
  projectWord: (name: string) => string,
): readonly Summary[] => {
  const { project = '', engine = '' } = filter.own;
  const isShown = shownBy({ ...filter, retrying: false, stuckSeconds: null }, { now: 0, resting: new Set() });
  return archives
    .filter((one) => (project === '' || one.project === project) && (engine === '' || engineOf(one) === engine))
    .filter((one) =>
      isShown({
        state: one.state,
        retrying: false,
        since: one.createdAt,
        searched: searched(one, projectWord),
      }),
    );
};
