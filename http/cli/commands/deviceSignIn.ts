import type { DeviceStart, DeviceToken } from '../../api.ts';
import { type ApiClient, jsonOf, refusalText } from '../../apiClient/client.ts';
import { ApiFailure } from '../../apiClient/failure.ts';
import { answerOf, number, object, optional, read, text } from '../../apiClient/shape.ts';
import type { Run } from '../command.ts';
import { CommandFailure, exits } from '../exits.ts';
import { plain } from '../text/plain.ts';

const startedShape = answerOf<DeviceStart>()(
  object({ device_code: text, user_code: text, interval: optional(number), expires_in: number }),
);
const tokenShape = answerOf<DeviceToken>()(object({ access_token: text }));

/** Where the service names no interval (RFC 8628, 3.2). */
const usualIntervalS = 5;
/** Longer by this after each `slow_down` (RFC 8628). */
const slowerByMs = 5_000;
const answerWithinMs = 30_000;

const expired = () => new CommandFailure(exits.timedOut, 'the sign-in was not approved before its code expired');
const refused = () => new CommandFailure(exits.notAllowed, 'the sign-in was refused');

type Polled = { readonly is: 'token'; readonly token: string } | { readonly is: 'pending' | 'slower' };

/** What a poll says. No answer, or one of a server in trouble, is waited through. */
async function poll(client: ApiClient, code: string, timeoutMs: number, signal: AbortSignal): Promise<Polled> {
  const sending = { body: { device_code: code }, timeoutMs, signal };
  const answer = await client.exchange('POST', '/auth/token', sending).catch((error: unknown) => {
    if (error instanceof ApiFailure && error.status === null) return null;
    throw error;
  });
  if (answer === null || answer.status >= 500 || answer.status === 429) return { is: 'pending' };
  if (answer.status < 400) return { is: 'token', token: read(tokenShape, jsonOf(answer, client.address)).access_token };
  const error = refusalText(answer, client.address);
  if (error === 'authorization_pending') return { is: 'pending' };
  if (error === 'slow_down') return { is: 'slower' };
  if (error === 'access_denied') throw refused();
  if (error === 'expired_token') throw expired();
  throw new ApiFailure(error, answer.status);
}

async function showPage(run: Run, page: string, code: string): Promise<void> {
  const { io } = run;
  await run.note(`Open ${page}\nand approve the code ${plain(code)}.\n`);
  if (run.flags['browser'] === false || !io.input.isTerminal || !io.err.isTerminal) return;
  await io.openPage(page).catch(() => run.note('No browser could be opened.\n'));
}

/** Asks for a code, and waits until an admin has decided about it; resolves with the token (DEV-020 to DEV-034). */
export async function deviceSignIn(run: Run, address: string): Promise<string> {
  const { clock, hostName, catchInterrupt } = run.io;
  const client = run.clientOf({ address, token: '' });
  const body = { client_name: `core on ${hostName}` };
  const started = read(startedShape, await client.ask('POST', '/auth/device', { body }));
  const until = clock.monotonic() + started.expires_in * 1_000;
  await showPage(run, `${address}/device?code=${encodeURIComponent(started.user_code)}`, started.user_code);
  const { signal, release } = catchInterrupt();
  try {
    let pauseMs = Math.max(started.interval ?? usualIntervalS, 1) * 1_000;
    for (;;) {
      await clock.sleep(Math.min(pauseMs, Math.max(until - clock.monotonic(), 0)), signal);
      if (signal.aborted) throw new CommandFailure(exits.interrupted, 'the sign-in was given up');
      const left = until - clock.monotonic();
      if (left <= 0) throw expired();
      const polled = await poll(client, started.device_code, Math.min(answerWithinMs, left), signal);
      if (polled.is === 'token') return polled.token;
      if (polled.is === 'slower') pauseMs += slowerByMs;
    }
  } finally {
    release();
  }
}
