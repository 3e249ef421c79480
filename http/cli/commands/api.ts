import { promises as files } from 'node:fs';
import { addressOf } from '../../apiClient/address.ts';
import { type Answered, refusalText, type Sending } from '../../apiClient/client.ts';
import { ApiFailure } from '../../apiClient/failure.ts';
import { command, listFlag, type Run, textFlag } from '../command.ts';
import { CommandFailure, exits } from '../exits.ts';
import { externalText, jsonText } from '../text/plain.ts';
import { errorMessage } from '../../../rules/errorMessage.ts';

const usage = (message: string) => new CommandFailure(exits.usage, message);

/** The path below the version of the API; an address elsewhere is refused, for the token would go there. */
function pathIn(run: Run, text: string): string {
  let path = text;
  if (/^[a-z][a-z\d+.-]*:/i.test(text) || text.startsWith('//')) {
    const { address } = run.target();
    const wanted = addressOf(text.split(/[?#]/)[0] ?? '');
    if (wanted.is === 'wrong' || !`${wanted.url}/`.startsWith(`${address}/`))
      throw usage(`${text} is not below ${address}, which is signed in to`);
    path = text.slice(text.toLowerCase().startsWith(address) ? address.length : 0);
  }
  const below = `/${path.replace(/^\/+/, '')}`.replace(/^\/api(?:\/v1)?(?=[/?]|$)/, '');
  const { pathname } = new URL(`http://api/api/v1${below}`);
  if (!pathname.startsWith('/api/v1')) throw usage(`${text} leads out of the API`);
  return below;
}

async function fileText(file: string): Promise<string> {
  try {
    return await files.readFile(file, 'utf8');
  } catch (error) {
    throw new CommandFailure(exits.otherError, errorMessage(error));
  }
}

async function bodyText(run: Run, data: string): Promise<string> {
  if (data === '-' || data === '@-') return run.io.input.all();
  return data.startsWith('@') ? fileText(data.slice(1)) : data;
}

function pairsIn(run: Run): readonly (readonly [string, string])[] {
  return listFlag(run, 'field').map((field) => {
    const at = field.indexOf('=');
    if (at < 1) throw usage(`--field "${field}" is no KEY=VALUE`);
    return [field.slice(0, at), field.slice(at + 1)];
  });
}

async function sendingOf(run: Run, method: string): Promise<Sending> {
  const data = textFlag(run, 'data');
  const pairs = pairsIn(run);
  if (data !== undefined) return { text: { type: 'application/json', content: await bodyText(run, data) } };
  if (pairs.length === 0) return {};
  if (method === 'GET') return { query: Object.fromEntries(pairs) };
  const content = new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString();
  return { text: { type: 'application/x-www-form-urlencoded', content } };
}

function printable(run: Run, { text }: Answered): string {
  try {
    return `${jsonText(JSON.parse(text))}\n`;
  } catch {
    return externalText(run, text);
  }
}

async function callApi(run: Run): Promise<void> {
  const [given = '', path = ''] = run.args;
  const method = given.toUpperCase();
  if (!/^[A-Z]{1,16}$/.test(method)) throw usage(`"${given}" is no method`);
  const client = run.client();
  const below = pathIn(run, path);
  const sending = await sendingOf(run, method);
  const interrupt = run.io.catchInterrupt();
  try {
    const answer = await client.follow(method, below, { ...sending, signal: interrupt.signal });
    if (!('events' in answer)) return await printAnswer(run, answer);
    for await (const batch of answer.events)
      await run.print(externalText(run, batch.map(({ data }) => `${data}\n`).join('')));
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
  } finally {
    interrupt.release();
  }
}

async function printAnswer(run: Run, answer: Answered): Promise<void> {
  await run.print(printable(run, answer));
  if (answer.status >= 400) throw new ApiFailure(refusalText(answer, run.client().address), answer.status);
}

export const api = command({
  name: 'api',
  about: 'Send a request to the REST API and print its answer.',
  more: 'PATH may begin with /api/v1 or stand alone. The lines of a stream are printed as they come.',
  args: [
    { name: 'METHOD', about: 'GET, POST, PATCH or DELETE' },
    { name: 'PATH', about: 'such as /apps/web' },
  ],
  flags: [
    { flags: '-d, --data <body>', about: 'a body of JSON; @FILE reads it from a file, - from standard input' },
    {
      flags: '-F, --field <key=value>',
      about: 'a field of a form, or of the query with GET; may be repeated',
      repeats: true,
    },
  ],
  examples: [
    'core api GET /apps',
    'core api PATCH /apps/web -d \'{"port":3000}\'',
    'core api DELETE /databases/orders?confirmName=orders',
  ],
  exits: [exits.notFound, exits.notAllowed],
  run: callApi,
});

export const openapi = command({
  name: 'openapi',
  about: 'Print the description of the REST API (OpenAPI 3.1).',
  examples: ['core openapi > openapi.json'],
  exits: [exits.notFound, exits.notAllowed],
  run: async (run) => run.json(await run.client().ask('GET', '/openapi.json')),
});
