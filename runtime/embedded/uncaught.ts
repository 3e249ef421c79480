import { requestOf } from './requests.ts';

/** An error that nobody caught. */
export interface Uncaught {
  readonly from: 'request' | 'process';
  /** For the log: the error with its stack, and the method and route of the request that it is of. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Catches what nobody caught in this thread, and ends no more than the request that it is of. */
export function catchUncaught(report: (uncaught: Uncaught) => void): void {
  const onUncaught = (error: unknown) => {
    const request = requestOf(error);
    const asked = request && { method: request.method, route: request.route() };
    request?.end();
    report({ from: request ? 'request' : 'process', fields: { ...asked, error: stackOf(error) } });
  };
  process.on('uncaughtException', onUncaught);
  process.on('unhandledRejection', onUncaught);
  // Whoever reads the log may leave; that cannot be logged either.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

/** Other values than errors are not shown, because they may hold a secret. */
const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : `a thrown ${error === null ? 'null' : typeof error}`;
