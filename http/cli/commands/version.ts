import type { Version } from '../../api.ts';
import { answerOf, object, optional, read, text } from '../../apiClient/shape.ts';
import { ApiFailure } from '../../apiClient/failure.ts';
import { program } from '../../../crds/names.ts';
import { version as ownVersion } from '../../version.ts';
import { command, type Run } from '../command.ts';
import { findTarget } from '../config/resolve.ts';
import { CommandFailure } from '../exits.ts';
import { plain } from '../text/plain.ts';

const withinMs = 3_000;
const versionShape = answerOf<Version>()(object({ api: optional(text) }));

/** The version of the API that is signed in to; undefined where it is not known. */
async function apiVersion(run: Run): Promise<string | undefined> {
  const given = run.resolving();
  try {
    const target = findTarget(given);
    if (target === null || target.token === '') return undefined;
    const answer = await run.clientOf(target).ask('GET', '/version', { timeoutMs: withinMs });
    return read(versionShape, answer).api;
  } catch (error) {
    if (error instanceof ApiFailure || error instanceof CommandFailure) return undefined;
    throw error;
  }
}

async function showVersion(run: Run): Promise<void> {
  const api = await apiVersion(run);
  if (run.globals.json) return run.json({ cli: ownVersion, ...(api === undefined ? {} : { api }) });
  return run.print(`${program} ${ownVersion}\n${api === undefined ? '' : `api ${plain(api)}\n`}`);
}

export const version = command({
  name: 'version',
  about: 'Print the version of this program, and that of the API where it is signed in.',
  examples: ['core version', 'core version --json'],
  run: showVersion,
});
