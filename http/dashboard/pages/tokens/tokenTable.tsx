import type { ApiToken } from '../../../api.ts';
import { Table } from '../../components/table/table.tsx';
import type { TableColumn } from '../../components/table/tableColumn.ts';
import { Ago, At } from '../../components/times.tsx';
import { now } from '../../store/clock.ts';
import { dayOrNever, publicPart, tokenAccess } from './token.ts';

interface TokenTableProps {
  readonly tokens: readonly ApiToken[];
  readonly onRevoke: (token: ApiToken) => void;
}

/** Every token, by name: its access, its creator, its expiry and its last use. */
export const TokenTable = ({ tokens, onRevoke }: TokenTableProps) => (
  <Table label="Tokens" isCard columns={columnsOf(onRevoke)} rows={tokens} keyOf={({ id }) => id} />
);

/** The server reports expired tokens; between two responses the clock decides. */
const isOver = ({ expired, expiresAt }: ApiToken) =>
  expired || (expiresAt !== undefined && Date.parse(expiresAt) <= now.value);

const columnsOf = (onRevoke: TokenTableProps['onRevoke']): readonly TableColumn<ApiToken>[] => [
  {
    label: 'Name',
    isRowHeading: true,
    look: 'token-name',
    cell: (token) => (
      <>
        {token.name}
        <div class="small muted mono nowrap">{publicPart(token)}</div>
      </>
    ),
  },
  { label: 'Access', cell: tokenAccess },
  {
    label: 'Created',
    look: 'nowrap',
    cell: ({ createdAt, createdBy }) => (
      <>
        <At at={createdAt}>{dayOrNever(createdAt)}</At>
        <div class="small muted">by {createdBy}</div>
      </>
    ),
  },
  { label: 'Expires', cell: (token) => <Expiry token={token} /> },
  {
    label: 'Last used',
    look: 'nowrap',
    cell: ({ lastUsedAt }) => (lastUsedAt === undefined ? 'never' : <Ago at={lastUsedAt} />),
  },
  {
    label: 'Revoke',
    isLabelHidden: true,
    look: 'token-end',
    cell: (token) => (
      <button
        type="button"
        class="button button-small button-bad"
        aria-haspopup="dialog"
        aria-label={`Revoke ${token.name}`}
        onClick={() => onRevoke(token)}
      >
        Revoke
      </button>
    ),
  },
];

const Expiry = ({ token }: { readonly token: ApiToken }) => (
  <>
    {token.expiresAt === undefined ? (
      'never'
    ) : (
      <span class="nowrap">
        <At at={token.expiresAt}>{dayOrNever(token.expiresAt)}</At>
      </span>
    )}
    {isOver(token) && (
      <div>
        <span class="flag token-flag">expired</span>
      </div>
    )}
  </>
);
