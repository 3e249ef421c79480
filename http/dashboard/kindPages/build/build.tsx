import type { BuildRead } from '../../../api.ts';
import { lazyPart } from '../../components/lazy.tsx';
import { Note } from '../../components/note.tsx';
import { addressOf } from '../../routes.ts';
import { mayReadSensitive } from '../../store/session.ts';
import { short } from '../../model/plural.ts';
import { programName } from '../../model/command.ts';
import { kindPage } from '../kindPage.ts';
import { actionsOf } from './actions.ts';
import { BuildFacts } from './buildFacts.tsx';
import { pathTo } from '../../api.ts';

const FirstBuild = lazyPart(async () => (await import('./firstBuild.tsx')).FirstBuild);
const BuildLog = lazyPart(async () => (await import('./buildLog.tsx')).BuildLog);

const flagsOf = ({ current, cancelRequested, state }: BuildRead): readonly string[] => [
  ...(current ? [] : ['not the current build']),
  ...(cancelRequested && state !== 'Cancelled' ? ['cancel asked for'] : []),
];

/** The pages of builds: the run and its log, with rebuild and cancel. */
export const buildKind = kindPage<BuildRead>({
  kind: 'CoreBuild',
  plural: 'corebuilds',
  label: 'builds',
  path: (build) => pathTo('GET /builds/{build}', { build }),
  hasPasses: true,
  title: ({ name }) => name,
  links: ({ app }) => [{ to: addressOf.named(app), label: 'Open service' }],
  flags: flagsOf,
  actions: ({ object, machines }) => actionsOf(object, machines.find(({ name }) => name === 'build') ?? null),
  facts: ({ object }) => <BuildFacts build={object} />,
  command: ({ columns }) => (columns['app'] === undefined ? null : `${programName} status ${columns['app']}`),
  views: [
    {
      name: 'log',
      label: 'Log',
      // Only roles that may read logs are offered this view (AUT-035).
      isOffered: mayReadSensitive,
      show: ({ object }) =>
        mayReadSensitive() ? <BuildLog build={object} /> : <Note tone="idle">Your role reads no logs.</Note>,
    },
  ],
  columns: [{ name: 'commit', label: 'Commit', shorten: short }],
  empty: () => <FirstBuild />,
});
