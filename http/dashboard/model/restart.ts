import type { Read, Summary } from '../../api.ts';
import { isAtOnce } from '../../../rules/draftDeploy/waiting.ts';
import { appliesOf } from './gate.ts';
import { counted } from './deletion.ts';
import { plural } from './plural.ts';

/** What is asked before copies that run are replaced. */
export interface Question {
  readonly title: string;
  /** What restarts. */
  readonly text: string;
  readonly yes: string;
}

const buildPaths = ['source.git', 'build'];
const within = (path: string, setting: string): boolean => path === setting || path.startsWith(`${setting}.`);

/** Settings of which a change replaces no copy: paths only decide which pushes count. */
const isIdle = (path: string): boolean => isAtOnce(`spec.${path}`) || path === 'source.git.watchPaths';

const question = (resource: Summary, text: string): Question => ({
  title: `Restart ${resource.displayName}?`,
  text: `${resource.displayName} is deployed on every change. ${text}`,
  yes: 'Save and restart',
});

/** What is asked before these settings of a service are saved; null where no copy restarts at once. */
export function restartOfService(
  { resource }: Pick<Read, 'resource'>,
  copies: number | null,
  paths: readonly string[],
): Question | null {
  const replacing = paths.filter((path) => !isIdle(path));
  if (appliesOf(resource) !== 'atOnce' || copies === 0 || replacing.length === 0) return null;
  const what = copies === null ? 'its copies' : copies === 1 ? 'its copy' : `its ${copies} copies`;
  const isBuilt = replacing.every((path) => buildPaths.some((setting) => within(path, setting)));
  return isBuilt
    ? question(resource, `Saving builds it anew, and the new image restarts ${what}.`)
    : question(resource, `Saving restarts ${what} with what you typed.`);
}

/** Settings of a database in the cluster of which a change replaces its instances. */
const replacingInstances = ['resources', 'version'];

/** What is asked before these settings of a database are saved; null where no instance restarts at once. */
export function restartOfDatabase({ resource, spec }: Read, paths: readonly string[]): Question | null {
  const restarts = paths.some((path) => replacingInstances.some((setting) => within(path, setting)));
  if (appliesOf(resource) !== 'atOnce' || !restarts) return null;
  const { instances } = spec;
  const what = typeof instances === 'number' && instances > 1 ? `its ${plural(instances, 'instance')}` : 'its instance';
  return question(resource, `Saving restarts ${what}; programs lose their connections meanwhile.`);
}

/** What is asked before services restart with a setting that is not theirs; null where none of them runs. */
export function restartOfServices(services: readonly Summary[], why: string): Question | null {
  const names = services.filter(({ state }) => state !== 'draft' && state !== 'deleting').map(({ name }) => name);
  return names.length === 0
    ? null
    : {
        title: `Restart ${plural(names.length, 'service')}?`,
        text: `${why}, so the copies of ${counted('service', names)} restart.`,
        yes: 'Save and restart',
      };
}

/** The same where a project or a cluster places them on other nodes. */
export const restartElsewhere = (services: readonly Summary[]): Question | null =>
  restartOfServices(services, 'They move to other nodes at once');
