import type { Place } from '../routes.ts';
import { codeProblem } from './functionCode.ts';
import { programName, quoted } from './command.ts';

/** The runtimes of functions. */
export const runtimes: readonly string[] = ['bun', 'node', 'python'];

export type Source = 'image' | 'git' | 'function';

/** What calls a function. */
export const modes = [
  ['http', 'Requests'],
  ['event', 'Events: JSON that is posted to /'],
] as const;

/** What is filled in of a new service. */
export interface NewService {
  readonly source: Source;
  readonly image: string;
  readonly repository: string;
  readonly branch: string;
  readonly runtime: string;
  readonly mode: string;
  readonly code: string;
  readonly name: string;
  readonly port: string;
}

export const emptyService: NewService = {
  source: 'image',
  image: '',
  repository: '',
  branch: 'main',
  runtime: 'bun',
  mode: 'http',
  code: '',
  name: '',
  port: '',
};

/** A first service that runs on every installation. */
export const firstService: NewService = {
  ...emptyService,
  image: 'docker.io/library/nginx:1.29',
  name: 'web',
  port: '80',
};

const nameShape = /^[a-z]([-a-z0-9]{0,34}[a-z0-9])?$/;

/** Why the source cannot be used; null where it can. */
export function sourceProblem({ source, image, repository, code }: NewService): string | null {
  if (source === 'image') return image.trim() === '' ? 'Type the image to run.' : null;
  if (source === 'git') return repository.trim() === '' ? 'Type the repository, such as owner/name.' : null;
  return codeProblem(code);
}

/** Why the settings cannot be used; null where they can. */
export function settingsProblem({ name, port }: NewService): string | null {
  if (!nameShape.test(name))
    return 'A name has at most 36 lowercase letters, digits and hyphens, and begins with a letter.';
  const number = Number(port);
  const isPort = port === '' || (Number.isInteger(number) && number >= 1 && number <= 65_535);
  return isPort ? null : 'A port is a whole number from 1 to 65535.';
}

const ofSource = ({ source, image, repository, branch, runtime, mode, code }: NewService) => {
  if (source === 'image') return { image: image.trim() };
  if (source === 'git') return { repository: repository.trim(), branch: branch.trim() || 'main' };
  return { runtime, mode, code };
};

/** The body of the request that makes it. */
export const newServiceBody = (service: NewService, place: Place, how: 'draft' | 'deploy') => ({
  ...place,
  name: service.name,
  ...ofSource(service),
  ...(service.port === '' ? {} : { port: Number(service.port) }),
  [how]: true,
});

/** What its source is called, for the summary. */
export function sourceWord({ source, image, repository, branch, runtime }: NewService): string {
  if (source === 'image') return image;
  return source === 'git' ? `${repository}, branch ${branch || 'main'}` : `function for ${runtime}`;
}

/** The file that a runtime's code is usually in. */
const fileOf = (runtime: string): string => (runtime === 'python' ? 'code.py' : 'code.js');

function sourceFlags({ source, image, repository, branch, runtime, mode }: NewService): readonly string[] {
  if (source === 'image') return ['--image', image.trim()];
  if (source === 'git') return ['--repo', repository.trim(), '--branch', branch.trim() || 'main'];
  return ['--function', fileOf(runtime), '--runtime', runtime, ...(mode === 'http' ? [] : ['--mode', mode])];
}

/** The command that makes and deploys the same service. */
export const createCommand = (service: NewService, { project, environment }: Place): string =>
  [
    programName,
    'apps',
    'create',
    service.name,
    ...sourceFlags(service),
    ...(service.port === '' ? [] : ['--port', service.port]),
    '--project',
    project,
    '--environment',
    environment,
    '--deploy',
  ]
    .map(quoted)
    .join(' ');

/** The command that makes a service, for an environment that has none. */
export const createHint = (place: Place): string =>
  createCommand({ ...firstService, image: 'IMAGE', name: 'NAME' }, place);

const sourceSpec = ({ source, image, repository, branch, runtime, mode, code }: NewService): object => {
  if (source === 'image') return { image: image.trim() };
  if (source === 'git') return { git: { repository: repository.trim(), branch: branch.trim() || 'main' } };
  return { function: { runtime, mode, code } };
};

/** The object that kubectl would apply; JSON is YAML too. */
export const manifestOf = (service: NewService, place: Place, namespace: string): string =>
  JSON.stringify(
    {
      apiVersion: 'core.platform/v1alpha1',
      kind: 'CoreApp',
      metadata: { name: service.name, namespace },
      spec: {
        ...place,
        source: sourceSpec(service),
        ...(service.port === '' ? {} : { port: Number(service.port) }),
        deploy: { enabled: true },
      },
    },
    null,
    2,
  );
