import { unreachableWords } from '../../rules/unreachable.ts';

/** Why a request to the API gave nothing that can be used, in words for the user. */
export class ApiFailure extends Error {
  /** The status code of a refusal; null where no answer came, or one that cannot be read. */
  readonly status: number | null;

  constructor(message: string, status: number | null = null) {
    super(message);
    this.name = 'ApiFailure';
    this.status = status;
  }
}

/** Whether an error is one, by its name: a bundle that is loaded on use has classes of its own. */
export const isApiFailure = (error: unknown): error is ApiFailure =>
  error instanceof Error && error.name === 'ApiFailure';

/** No connection to the proxy came about; what it cost to open it is the cause. */
export class ProxyUnreached extends Error {
  /** Without the user that its variable may name. */
  readonly proxy: string;

  constructor({ origin }: URL, cause: unknown) {
    super(`could not reach the proxy ${origin}`, { cause });
    this.name = 'ProxyUnreached';
    this.proxy = origin;
  }
}

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

/** Several addresses of one host fail together. */
const firstOf = (error: unknown): unknown => (error instanceof AggregateError ? (error.errors[0] as unknown) : error);

/** What went wrong with a connection. */
export function connectionMessage(error: unknown): string {
  const first = firstOf(error instanceof ProxyUnreached ? error.cause : error);
  return (
    unreachableWords(codeOf(first)) ?? (first instanceof Error && first.message !== '' ? first.message : String(first))
  );
}

/** Whether a connection that was kept open had been closed by the other side. */
export const isClosed = (error: unknown): boolean => ['ECONNRESET', 'EPIPE'].includes(codeOf(error));
