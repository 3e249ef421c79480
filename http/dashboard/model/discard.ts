import type { Change } from '../../api.ts';
import { changeName } from './service.ts';
import { requestTo, type WriteRequest } from '../api.ts';

/** The settings that one request puts back, by where they stand. */
const fields: Readonly<Record<string, string>> = {
  'spec.source.image': 'image',
  'spec.source.git.branch': 'branch',
  'spec.source.git.commit': 'commit',
  'spec.source.git.context': 'context',
  'spec.source.git.buildfile': 'buildfile',
  'spec.source.git.waitForCI': 'waitForCI',
  'spec.source.git.watchPaths': 'watchPaths',
  'spec.source.function.code': 'code',
  'spec.source.function.runtime': 'runtime',
  'spec.source.function.handler': 'handler',
  'spec.port': 'port',
  'spec.build.cache': 'cache',
};
/** The value of a setting that was not there; of the others it is null. */
const absent: Readonly<Record<string, unknown>> = {
  branch: '',
  commit: '',
  context: '',
  buildfile: '',
  waitForCI: false,
  watchPaths: [],
  cache: false,
};

const configPath = 'spec.config.';
const isConfig = ({ path }: Change): boolean => path.startsWith(configPath);

/** Whether a change can be put back: the API returns no deployed value of a secret. */
export const isDiscardable = (change: Change): boolean => isConfig(change) || change.path in fields;

const variableBack = (app: string, change: Change): WriteRequest<unknown> => {
  const key = changeName(change);
  return change.deployed === null
    ? requestTo('POST /apps/{app}/config/delete', { app }, { key })
    : requestTo('POST /apps/{app}/config/set', { app }, { key, value: change.deployed });
};

/** The requests that put back the plain settings and variables of a service: one for all settings. */
export function discardsOf(app: string, changes: readonly Change[]): readonly WriteRequest<unknown>[] {
  const plain = changes.filter(isDiscardable);
  const settings = plain.filter((change) => !isConfig(change));
  const body = Object.fromEntries(
    settings.map(({ path, deployed }) => {
      const name = fields[path] ?? '';
      return [name, deployed ?? absent[name] ?? null];
    }),
  );
  return [
    ...(settings.length > 0 ? [requestTo('PATCH /apps/{app}', { app }, body)] : []),
    ...plain.filter(isConfig).map((change) => variableBack(app, change)),
  ];
}
