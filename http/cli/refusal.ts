import { isApiFailure } from '../apiClient/failure.ts';
import { program } from '../../crds/names.ts';
import { roleRefusals } from '../../rules/access/refusals.ts';
import type { Flag, Leaf, Run } from './command.ts';
import { givenToken } from './config/resolve.ts';
import { CommandFailure, exitOfStatus } from './exits.ts';
import { globalFlags } from './globals.ts';

interface Refusal {
  readonly status: number | null;
  readonly message: string;
}

const signInAgain = `Run '${program} login' to sign in again.`;
const readOnly = `this login is read-only: sign in again with ${program} login, an admin approves it as admin`;

/** What helps against a refusal. A token that was brought along is no login, and wins over a new one. */
export function hintsFor(
  { globals, io }: Pick<Run, 'globals' | 'io'>,
  { status, message }: Refusal,
): readonly string[] {
  if (status === 401) return [signInAgain];
  if (status !== 403 || !roleRefusals.has(message)) return [];
  const isLogin = givenToken({ flags: globals, env: io.env }) === '';
  return isLogin ? [readOnly] : [];
}

const longName = ({ flags }: Flag): string => /--([a-z-]+)/.exec(flags)?.[1] ?? '';
/** A flag as commander names its value: `sleepAfter`. */
const valueName = (flag: Flag): string => longName(flag).replace(/-[a-z]/g, ([, letter = '']) => letter.toUpperCase());

/** A message about a parameter of the API, by the flag that it was given with. */
function byFlag(message: string, { flags = [] }: Pick<Leaf, 'flags'>, isGiven: (name: string) => boolean): string {
  const [, parameter] = /^(\w+) must /.exec(message) ?? [];
  const flag = [...flags, ...globalFlags].find(
    (one) => (one.sends ?? valueName(one)) === parameter && isGiven(valueName(one)),
  );
  return parameter === undefined || flag === undefined
    ? message
    : `--${longName(flag)}${message.slice(parameter.length)}`;
}

/** What a command failed with, in words of the command line. */
export function explained(
  error: unknown,
  run: Pick<Run, 'globals' | 'io'>,
  { leaf, isGiven }: { readonly leaf: Leaf; readonly isGiven: (name: string) => boolean },
): unknown {
  if (!isApiFailure(error)) return error;
  const { status, message } = error;
  const words = status === 400 ? byFlag(message, leaf, isGiven) : message;
  return new CommandFailure(exitOfStatus(status), words, ...hintsFor(run, error));
}
