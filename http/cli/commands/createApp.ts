import { promises as files } from 'node:fs';
import { createService, sourceOf } from '../../apiClient/requests/createService.ts';
import { command, isSet, type Run, textFlag } from '../command.ts';
import { CommandFailure, exits } from '../exits.ts';
import { plain } from '../text/plain.ts';
import { checkWhole } from '../wholeNumber.ts';
import { errorMessage } from '../../../rules/errorMessage.ts';

const usage = (message: string) => new CommandFailure(exits.usage, message);

/** The code of a function, which is text. */
export async function codeIn(file: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await files.readFile(file));
  } catch (error) {
    const why = error instanceof TypeError ? 'it is no UTF-8' : errorMessage(error);
    throw new CommandFailure(exits.otherError, `${file} cannot be read: ${why}`);
  }
}

async function sourceIn(run: Run): Promise<object> {
  const file = textFlag(run, 'function');
  const source = await sourceOf({
    image: textFlag(run, 'image'),
    repository: textFlag(run, 'repo'),
    branch: textFlag(run, 'branch'),
    code: file === undefined ? undefined : () => codeIn(file),
    runtime: textFlag(run, 'runtime'),
    mode: textFlag(run, 'mode'),
  });
  if (source === null) throw usage('say what it runs: give --image, --repo or --function');
  return source;
}

function placeOf(run: Run): { readonly project: string; readonly environment: string } {
  const { project, environment } = run.target();
  if (project !== '' && environment !== '') return { project, environment };
  throw usage('say where to create it: give --project and --environment');
}

async function create(run: Run): Promise<void> {
  const [name = ''] = run.args;
  const place = placeOf(run);
  const port = textFlag(run, 'port');
  const isDeployed = isSet(run, 'deploy');
  const source = await sourceIn(run);
  const body = { ...place, name, source, isDeployed, port: port === undefined ? undefined : Number(port) };
  const created = await createService(run.client().ask, body);
  if (created.note) await run.note(`${plain(created.note)}\n`);
  if (!isDeployed) {
    await run.print(`Created ${plain(name)} as a draft.\n`);
    return run.note(`run 'core deploy ${plain(name)}' to deploy it\n`);
  }
  return run.print(`${plain(name)} is deploying.\n`);
}

export const createApp = command({
  name: 'create',
  about: 'Create a service from an image, a repository or a file with a function.',
  more: 'It is saved as a draft, unless --deploy is given. Of several sources the first in the order --image, --repo, --function is taken.',
  args: [{ name: 'NAME', about: 'at most 36 lowercase letters, digits and hyphens' }],
  flags: [
    { flags: '--image <image>', about: 'an image to run as it is' },
    { flags: '--repo <owner/name>', about: 'a repository to build', sends: 'repository' },
    { flags: '--branch <branch>', about: 'the branch to build, with --repo (default: main)' },
    { flags: '--function <file>', about: 'a file with the code of a function', sends: 'code' },
    {
      flags: '--runtime <runtime>',
      about: 'what runs the function (default: bun)',
      choices: ['bun', 'node', 'python'],
    },
    { flags: '--mode <mode>', about: 'what calls the function (default: http)', choices: ['http', 'event'] },
    { flags: '--port <port>', about: 'the port it listens on; 8080 when left out', check: checkWhole },
    { flags: '--deploy', about: 'deploy it instead of saving a draft' },
  ],
  examples: [
    'core apps create web --image nginx:1.27 --project shop --environment production --deploy',
    'core apps create api --repo shop/api --branch main',
    'core apps create hello --function hello.ts',
  ],
  exits: [exits.notFound, exits.notAllowed],
  run: create,
});
