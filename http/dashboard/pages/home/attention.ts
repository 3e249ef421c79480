import type { Attention } from '../../../api.ts';
import { isHidden, type CauseOwner, logPageOf, pageOf } from '../../model/causePages.ts';
import { addressOf } from '../../routes.ts';

/** What helps with an item: another try of all that was given up, or the page where it is mended. */
export type Remedy =
  | { readonly is: 'retry'; readonly label: string }
  | { readonly is: 'link'; readonly label: string; readonly to: string };

type Held = Attention['holdsUp'][number];

const isGivenUp = ({ state }: Pick<Held, 'state'>): boolean => state === 'failed';

/** How many objects a retry is for; null where not all of them are listed. */
function givenUpIn({ object, holdsUp, holdsUpCount }: Attention): number | null {
  if (holdsUp.length < holdsUpCount) return null;
  return [object, ...holdsUp].filter(isGivenUp).length;
}

function retryOf(item: Attention): Remedy {
  const count = givenUpIn(item);
  if (count === null) return { is: 'retry', label: 'Retry all' };
  return { is: 'retry', label: count > 1 ? `Retry all ${count}` : 'Retry' };
}

const missing: readonly string[] = ['SecretMissing', 'KeyMissing'];

/** Where the variable is set that a Secret lacks; null where that is not on a page of ours. */
function variablesOf({ object }: Attention): string | null {
  const { kind, project, environment } = object;
  if (isHidden(object)) return null;
  if (kind === 'CoreApp') return addressOf.service(object, 'variables');
  if (kind !== 'CoreProject') return null;
  return environment === ''
    ? addressOf.projectSettings(object.name, 'environments')
    : addressOf.sharedVariables({ project, environment });
}

/** The object that an item is about, as the owner of its cause. */
export const ownerOf = ({ object }: Attention): CauseOwner => object;

/** Reasons whose log says more than the cause. */
const logged: readonly string[] = ['CrashLoop', 'OutOfMemory', 'ProbeFailing', 'BuildFailed', 'ReleaseFailed'];

/** The one action of an item for a role; null where only waiting helps, or the role may not do it. */
export function remedyOf(item: Attention, { mayAct, mayReadLogs }: Role): Remedy | null {
  const { cause, word, object, canRetry } = item;
  const reason = (cause.root ?? cause).reason;
  if (mayAct && missing.includes(reason) && !cause.resolved) {
    const to = variablesOf(item);
    if (to !== null) return { is: 'link', label: 'Set the variable', to };
  }
  if (mayAct && canRetry) return retryOf(item);
  if (word === 'At risk' && object.kind === 'CoreDatabase')
    return { is: 'link', label: 'Backups', to: addressOf.database(object, 'backups') };
  const log = logPageOf({ root: null }, ownerOf(item));
  return mayReadLogs && log !== null && logged.includes(reason) ? { is: 'link', label: 'Logs', to: log } : null;
}

/** What a reader may do. */
export interface Role {
  readonly mayAct: boolean;
  readonly mayReadLogs: boolean;
}

const placed: readonly string[] = ['CoreApp', 'CoreDatabase', 'CoreLogicalDatabase', 'CoreObjectStore'];

/** The page of an object in an item; null where there is none for the reader. */
export const pageOfHeld = (object: Held, isAdmin: boolean): string | null =>
  placed.includes(object.kind) && !isHidden(object) ? addressOf.resource(object) : pageOf(object, isAdmin);

const maxNamed = 5;

/** `holds up 7: orders, ledger, recipes, oven, web, …`, and those without a name as their number alone. */
export function holdsUpText({ holdsUp, holdsUpCount }: Attention): string {
  const names = holdsUp.slice(0, maxNamed).map(({ name }) => name);
  const more = holdsUpCount > names.length ? [...names, '…'] : names;
  return names.length === 0 ? `holds up ${holdsUpCount}` : `holds up ${holdsUpCount}: ${more.join(', ')}`;
}
