import { read } from '../../apiClient/shape.ts';
import { accessText, identityShape } from '../access.ts';
import { command, type Run } from '../command.ts';
import { type Login, loginNamed, withLogin } from '../config/file.ts';
import { chosenName, requireLogin } from '../config/resolve.ts';
import { changeConfig } from '../config/store.ts';
import { exits } from '../exits.ts';
import { ageText } from '../text/age.ts';
import { plain } from '../text/plain.ts';

/** The address and the defaults stay. */
function signedOut({ token: _token, user: _user, role: _role, expiresAt: _expiresAt, ...rest }: Login): Login {
  return { ...rest, token: '' };
}

async function signOut(run: Run): Promise<void> {
  const given = run.resolving();
  const { file } = given;
  const chosen = chosenName(given);
  const name = chosen ?? file.current ?? '';
  const login = chosen === undefined ? loginNamed(file, name) : requireLogin(file, chosen);
  if (login === null || !login.token) return run.print('Not signed in.\n');
  await changeConfig(run.io, (now) => {
    const current = loginNamed(now, name);
    return current === null ? now : withLogin(now, name, signedOut(current));
  });
  return run.print(`Signed out of ${plain(login.url)}.\n`);
}

export const logout = command({
  name: 'logout',
  about: 'Forget the token of the current or chosen login.',
  more: 'The token itself stays valid until it expires or is revoked in Settings, Tokens.',
  examples: ['core logout', 'core logout --context staging'],
  exits: [exits.notFound],
  run: signOut,
});

function expiryText(expiresAt: string | undefined, now: number): string {
  if (expiresAt === undefined) return 'never';
  const left = Date.parse(expiresAt) - now;
  if (Number.isNaN(left)) return plain(expiresAt);
  return left > 0 ? `${plain(expiresAt)} (in ${ageText(left)})` : `expired ${ageText(-left)} ago`;
}

async function showCaller(run: Run): Promise<void> {
  const answer = await run.client().ask('GET', '/me');
  const identity = read(identityShape, answer);
  if (run.globals.json) return run.json(answer);
  const access = accessText(identity);
  const { canMutate } = identity;
  const lines = [
    `${plain(identity.username)} at ${run.target().address}`,
    ...(access === '' ? [] : [`access: ${plain(access)}`]),
    ...(canMutate === undefined ? [] : [`can change things: ${canMutate ? 'yes' : 'no'}`]),
    `expires: ${expiryText(identity.expiresAt, run.io.clock.now())}`,
  ];
  return run.print(lines.map((line) => `${line}\n`).join(''));
}

export const whoami = command({
  name: 'whoami',
  about: 'Show who is signed in, where, and what they may do.',
  examples: ['core whoami', 'core whoami --json'],
  exits: [exits.notFound, exits.notAllowed],
  run: showCaller,
});
