import type { VerdictRule } from '../verdict.ts';
import { closed, hidden, sentence } from '../words.ts';

/** The result of an authenticated request to the provider. */
export type Checked =
  | { readonly is: 'works' }
  | { readonly is: 'refused'; readonly why: string }
  | { readonly is: 'silent'; readonly why: string };

/** The facts about a cloud connection and its Secret. */
export interface CloudConnectionFacts {
  readonly name: string;
  readonly project: string;
  readonly projectFound: boolean;
  readonly secret: string;
  readonly secretFound: boolean;
  /** Keys that the Secret lacks. */
  readonly missingKeys: readonly string[];
  /** Whether buckets can have their own users. */
  readonly hasUsers: boolean;
  /** Null before the first check. */
  readonly checked: Checked | null;
}

/** The Ready condition of a cloud connection, in the order checked. */
export const cloudConnectionReady: readonly VerdictRule<CloudConnectionFacts>[] = [
  {
    reason: 'NoProject',
    status: 'False',
    when: ({ project }) => project === '',
    message: ({ name }) => sentence('cloud connection "{name}" must be scoped to a project', { name: hidden(name) }),
  },
  {
    reason: 'ProjectMissing',
    status: 'False',
    when: ({ projectFound }) => !projectFound,
    message: ({ project }) => sentence('project "{project}" was not found', { project: hidden(project) }),
  },
  {
    reason: 'SecretMissing',
    status: 'False',
    when: ({ secretFound }) => !secretFound,
    message: ({ secret }) => sentence('Secret "{secret}" was not found', { secret: hidden(secret) }),
  },
  {
    reason: 'KeysMissing',
    status: 'False',
    when: ({ missingKeys }) => missingKeys.length > 0,
    message: ({ secret, missingKeys }) =>
      sentence('Secret "{secret}" has no key "{key}"', { secret: hidden(secret), key: hidden(missingKeys[0] ?? '') }),
  },
  {
    reason: 'Checking',
    status: 'Unknown',
    when: ({ checked }) => checked === null,
    message: () => closed('the keys are being checked'),
  },
  {
    reason: 'Refused',
    status: 'False',
    when: ({ checked }) => checked?.is === 'refused',
    message: ({ checked }) => sentence('the provider refused: {error}', { error: hidden(whyOf(checked)) }),
  },
  {
    reason: 'Unreachable',
    status: 'False',
    when: ({ checked }) => checked?.is === 'silent',
    message: ({ checked }) => sentence('the provider does not answer: {error}', { error: hidden(whyOf(checked)) }),
  },
  {
    reason: 'ConnectedWithoutUsers',
    status: 'True',
    when: ({ hasUsers }) => !hasUsers,
    message: () => closed('the connection works; it has no iamEndpoint, so buckets are used with its own keys'),
  },
  { reason: 'Connected', status: 'True', when: () => true, message: () => closed('the connection works') },
];

const whyOf = (checked: Checked | null): string => (checked && checked.is !== 'works' ? checked.why : '');
