import type { ApiToken } from '../../../api.ts';
import { Ago, At } from '../../components/times.tsx';
import { now } from '../../store/clock.ts';
import { dayOrNever, publicPart, tokenAccess } from './token.ts';

interface TokenTableProps {
  readonly tokens: readonly ApiToken[];
  readonly onRevoke: (token: ApiToken) => void;
}

/** Every token, by name: its access, its creator, its expiry and its last use. */
export const TokenTable = ({ tokens, onRevoke }: TokenTableProps) => (
  <table>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Access</th>
        <th scope="col">Created</th>
        <th scope="col">Expires</th>
        <th scope="col">Last used</th>
        <th scope="col">
          <span class="unseen">Revoke</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {tokens.map((token) => (
        <Row key={token.id} token={token} onRevoke={onRevoke} />
      ))}
    </tbody>
  </table>
);

/** The server reports expired tokens; between two responses the clock decides. */
const isOver = ({ expired, expiresAt }: ApiToken) =>
  expired || (expiresAt !== undefined && Date.parse(expiresAt) <= now.value);

const Row = ({ token, onRevoke }: { readonly token: ApiToken; readonly onRevoke: (token: ApiToken) => void }) => (
  <tr>
    <th scope="row" class="token-name">
      {token.name}
      <div class="small muted mono nowrap">{publicPart(token)}</div>
    </th>
    <td>{tokenAccess(token)}</td>
    <td class="nowrap">
      <At at={token.createdAt}>{dayOrNever(token.createdAt)}</At>
      <div class="small muted">by {token.createdBy}</div>
    </td>
    <td>
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
    </td>
    <td class="nowrap">{token.lastUsedAt === undefined ? 'never' : <Ago at={token.lastUsedAt} />}</td>
    <td class="token-end">
      <button
        type="button"
        class="button button-small button-bad"
        aria-haspopup="dialog"
        aria-label={`Revoke ${token.name}`}
        onClick={() => onRevoke(token)}
      >
        Revoke
      </button>
    </td>
  </tr>
);
