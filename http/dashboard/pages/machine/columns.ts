import type { Instance } from '../../../api.ts';
import { type AnyKindPage, type KindColumn } from '../../kinds/kindPage.ts';
import { kindPageOf } from '../../kinds/kinds.ts';

/** One column of a list of instances, in addition to the common ones. */
export interface ListColumn {
  readonly word: string;
  readonly textOf: (instance: Instance) => string;
  /** Whether its values are hashes or similar. */
  readonly isCode: boolean;
}

const shownBy = ({ name, word, shorten }: KindColumn): ListColumn => ({
  word,
  isCode: shorten !== undefined,
  textOf: ({ columns }) => {
    const value = columns[name] ?? '';
    return shorten?.(value) ?? value;
  },
});

/** The columns of machines whose instances are not of a kind with columns of its own. */
const ofMachines: Readonly<Record<string, readonly KindColumn[]>> = {
  webhookDelivery: [
    { name: 'event', word: 'Event' },
    { name: 'webhook', word: 'Webhook' },
  ],
  pullRequestEnvironment: [{ name: 'pullRequest', word: 'Pull request' }],
  deploymentRecord: [{ name: 'app', word: 'Service' }],
  activeDeployment: [{ name: 'app', word: 'Service' }],
};

const kindColumn: ListColumn = { word: 'Kind', isCode: false, textOf: ({ kind }) => kind };

/** The columns of a machine or of its kind; several kinds share only the column that names the kind. */
export function columnsOf(machine: string, kinds: readonly string[]): readonly ListColumn[] {
  const own = ofMachines[machine];
  if (own) return own.map(shownBy);
  const [page, ...others] = kinds.flatMap((kind): readonly (AnyKindPage | undefined)[] => [kindPageOf(kind)]);
  return others.length > 0 || page === undefined ? [kindColumn] : page.columns.map(shownBy);
}
