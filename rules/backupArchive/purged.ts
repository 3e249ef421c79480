import type { VerdictRule } from '../verdict.ts';
import type { CloudConnectionSeen } from './facts.ts';
import { hidden, sentence } from '../words.ts';

/** Why a due purge was not carried out. */
export interface UnpurgedSeen {
  readonly connectionName: string;
  readonly connection: CloudConnectionSeen;
  readonly refusal: { readonly code: string; readonly text: string };
}

/** The messages about a purge that was not carried out. */
export const unpurgedText = {
  connection: (name: string) => sentence('cloud connection "{name}" is unavailable', { name: hidden(name) }),
  refusal: ({ code, text }: UnpurgedSeen['refusal']) =>
    sentence('{code}: {text}', { code: hidden(code), text: hidden(text) }),
} as const;

/** The condition Purged of an archive whose purge is due but was not carried out. */
export const archivePurged: readonly VerdictRule<UnpurgedSeen>[] = [
  {
    reason: 'ConnectionUnavailable',
    status: 'False',
    when: ({ connection }) => connection !== 'ready',
    message: ({ connectionName }) => unpurgedText.connection(connectionName),
  },
  { reason: 'PurgeFailed', status: 'False', when: () => true, message: ({ refusal }) => unpurgedText.refusal(refusal) },
];
