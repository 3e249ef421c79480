import type { Created, Done } from '../../api.ts';
import { ApiFailure } from '../failure.ts';
import { answerOf, flag, object, optional, read, text } from '../shape.ts';
import type { Ask } from './ask.ts';

const createdShape = answerOf<Created & Pick<Done, 'note'>>()(
  object({ deployed: optional(flag), note: optional(text) }),
);

/** What a new service may run. */
export interface SourceOptions {
  readonly image?: string | undefined;
  readonly repository?: string | undefined;
  readonly branch?: string | undefined;
  /** Reads the code of a function, where nothing else is run. */
  readonly code?: (() => Promise<string>) | undefined;
  readonly runtime?: string | undefined;
  readonly mode?: string | undefined;
}

/** The source as the API takes it: of several the first in this order (decision 6); null where there is none. */
export async function sourceOf({ image, repository, branch, code, runtime, mode }: SourceOptions) {
  if (image !== undefined) return { source: 'image', image };
  if (repository !== undefined) return { source: 'git', repository, branch: branch ?? 'main' };
  if (code === undefined) return null;
  return { source: 'function', runtime: runtime ?? 'bun', mode: mode ?? 'http', code: await code() };
}

interface NewService {
  readonly name: string;
  readonly project: string;
  readonly environment: string;
  readonly port?: number | undefined;
  readonly source: object;
  readonly isDeployed: boolean;
}

/** Creates a service, as a draft or deployed at once. */
export async function createService(ask: Ask, { source, isDeployed, port, ...named }: NewService) {
  const how = isDeployed ? { deploy: true } : { draft: true };
  const body = { ...named, ...how, ...source, ...(port === undefined ? {} : { port }) };
  const created = read(createdShape, await ask('POST', '/apps', { body }));
  // An older service takes no notice of the wish.
  if (isDeployed && !created.deployed)
    throw new ApiFailure(`${named.name} was saved as a draft: the service did not deploy it`, 409);
  return created;
}
