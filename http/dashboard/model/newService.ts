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

/** The fields that are checked as they are left, by their names in the API. */
const checkedFields = {
  source: ['image', 'repository', 'code'],
  settings: ['name', 'port'],
} as const;
export type CheckedField = (typeof checkedFields)['source' | 'settings'][number];

/** What is wrong with a field. */
export interface FieldProblem {
  readonly field: CheckedField;
  readonly text: string;
}

const isPort = (port: string): boolean => {
  const number = Number(port);
  return port === '' || (Number.isInteger(number) && number >= 1 && number <= 65_535);
};

const wrong: Readonly<Record<CheckedField, (service: NewService) => string | null>> = {
  image: ({ source, image }) => (source === 'image' && image.trim() === '' ? 'Type the image to run.' : null),
  repository: ({ source, repository }) =>
    source === 'git' && repository.trim() === '' ? 'Type the repository, such as owner/name.' : null,
  code: ({ source, code }) => (source === 'function' ? codeProblem(code) : null),
  name: ({ name }) =>
    nameShape.test(name)
      ? null
      : 'A name has at most 36 lowercase letters, digits and hyphens, and begins with a letter.',
  port: ({ port }) => (isPort(port) ? null : 'A port is a whole number from 1 to 65535.'),
};

/** What is wrong with one field; null where nothing is. */
export function fieldProblem(field: CheckedField, service: NewService): FieldProblem | null {
  const text = wrong[field](service);
  return text === null ? null : { field, text };
}

/** The first thing that is wrong with what a step asks for; null where it can be used. */
export const stepProblem = (step: keyof typeof checkedFields, service: NewService): FieldProblem | null =>
  checkedFields[step].map((field) => fieldProblem(field, service)).find((problem) => problem !== null) ?? null;

const maxNameLength = 36;

/** What a service is called where nobody says: as its image or its repository is; empty where that is no name. */
function derivedName({ source, image, repository }: NewService): string {
  const [path = ''] = (source === 'git' ? repository.replace(/\.git$/, '') : source === 'image' ? image : '').split(
    '@',
  );
  const last = path.slice(path.lastIndexOf('/') + 1).split(':')[0] ?? '';
  return last
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, maxNameLength)
    .replace(/-+$/, '');
}

/** The service with something else filled in; its name follows its source until somebody types one. */
export function withChange(service: NewService, change: Partial<NewService>): NewService {
  const next = { ...service, ...change };
  const follows = change.name === undefined && service.name === derivedName(service);
  return follows ? { ...next, name: derivedName(next) } : next;
}

/** The port that a service listens on where none is filled in (document 005). */
const defaultPort = '8080';

export const portWord = ({ port }: NewService): string => (port === '' ? `${defaultPort}, the default` : port);

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
