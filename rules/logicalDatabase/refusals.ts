import type { ServerSeen } from './facts.ts';
import { isLogicalName, logicalEngines, logicalMessage } from './blockers.ts';

/** A requested logical database, with the existing ones. */
export interface LogicalAsked {
  readonly server: ServerSeen;
  /** The region of the project; empty when irrelevant. */
  readonly region: string;
  readonly databaseName: string;
  /** Undefined when omitted. */
  readonly connectionLimit: unknown;
}

interface Refusal {
  readonly when: (asked: LogicalAsked) => boolean;
  readonly says: (asked: LogicalAsked) => string;
}

const regionOf = ({ server }: LogicalAsked) => (server.is === 'found' ? server.region : '');
const isWhole = (limit: unknown) => typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= 1000;

/** The refusals of the API, in the order checked (document 001, Dashboard refusals). */
const refusals: readonly Refusal[] = [
  { when: ({ server }) => server.is === 'absent', says: () => 'That database server does not exist' },
  {
    when: ({ server }) => server.is === 'found' && (server.external || !logicalEngines.includes(server.engine)),
    says: () => 'A database can only be created on a Postgres or MySQL server',
  },
  {
    when: ({ server }) => server.is === 'found' && server.owner === 'elsewhere',
    says: () => 'That server belongs to another project or environment',
  },
  {
    when: (asked) => regionOf(asked) !== '' && asked.region !== '' && regionOf(asked) !== asked.region,
    says: (asked) =>
      `This server runs in the ${regionOf(asked)} region, but the project runs in the ${asked.region} region. Every query would cross regions`,
  },
  {
    when: ({ connectionLimit }) => connectionLimit !== undefined && !isWhole(connectionLimit),
    says: () => 'The connection limit must be a whole number from 1 to 1000',
  },
  { when: ({ databaseName }) => !isLogicalName(databaseName), says: () => logicalMessage.name.text },
];

/** Why a logical database is refused; null when it may be created. */
export const refusalOfLogical = (asked: LogicalAsked): string | null =>
  refusals.find(({ when }) => when(asked))?.says(asked) ?? null;
