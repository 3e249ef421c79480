import { quantityOf } from '../owned/quantity.ts';
import { hidden, type Message, sentence } from '../words.ts';

/** The provisioned settings that the data of a database depend on. */
export interface DatabaseRan {
  readonly engine: string;
  readonly placement: 'InCluster' | 'External';
  /** For Postgres the version that the server reports; empty before that. */
  readonly version: string;
  /** Empty when nothing is stored on disk. */
  readonly storageSize: string;
  /** The database created on its server or at its provider, which is never replaced. Empty for none. */
  readonly databaseName?: string;
  /** Whether it runs with high availability; undefined when not recorded. */
  readonly highAvailability?: boolean;
}

interface Lasting {
  /** A new spec contradicts what runs. */
  readonly when: (wanted: DatabaseRan, ran: DatabaseRan) => boolean;
  readonly message: (ran: DatabaseRan) => Message;
}

const isLess = (one: string, other: string) => (quantityOf(one) ?? 0n) < (quantityOf(other) ?? 0n);
const isMade = ({ databaseName = '' }: DatabaseRan) => databaseName !== '';
const isInCluster = ({ placement }: DatabaseRan) => placement === 'InCluster';

/** The immutable settings of a provisioned database, in the order checked. */
export const lastingRules: readonly Lasting[] = [
  {
    when: (wanted, ran) => wanted.engine !== ran.engine,
    message: ({ engine }) =>
      sentence('the engine of a database cannot change (it runs {engine})', { engine: hidden(engine) }),
  },
  {
    when: (wanted, ran) => wanted.placement !== ran.placement,
    message: ({ placement }) =>
      sentence('the placement of a database cannot change (it is {placement})', { placement: hidden(placement) }),
  },
  {
    when: (wanted, ran) => isMade(ran) && wanted.databaseName !== ran.databaseName,
    message: ({ databaseName = '' }) =>
      sentence('the databaseName of a database cannot change (it is {databaseName})', {
        databaseName: hidden(databaseName),
      }),
  },
  {
    when: (wanted, ran) =>
      isInCluster(ran) && ran.engine === 'Postgres' && Number.parseInt(wanted.version) < Number.parseInt(ran.version),
    message: ({ version }) =>
      sentence('the version of a database can only rise (it runs {version})', { version: hidden(version) }),
  },
  {
    when: (wanted, ran) => isInCluster(ran) && ran.storageSize !== '' && isLess(wanted.storageSize, ran.storageSize),
    message: ({ storageSize }) =>
      sentence('storage can be increased but not decreased once deployed (currently {storageSize})', {
        storageSize: hidden(storageSize),
      }),
  },
];

const isMore = (one: string, other: string) => isLess(other, one);

/** Growth of volumes whose storage class does not allow it, which could not be undone. */
export const growthRefused: Lasting = {
  when: (wanted, ran) => isInCluster(ran) && ran.storageSize !== '' && isMore(wanted.storageSize, ran.storageSize),
  message: ({ storageSize }) =>
    sentence("this cluster's storage can't be resized, so a deployed database stays at {storageSize}", {
      storageSize: hidden(storageSize),
    }),
};

/** Why a spec contradicts what runs; null when it does not, or nothing was provisioned yet. */
export const lastingRefusal = (wanted: DatabaseRan, ran: DatabaseRan | null): Message | null =>
  ran === null ? null : (lastingRules.find(({ when }) => when(wanted, ran))?.message(ran) ?? null);
