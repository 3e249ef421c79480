import type { Exit } from '../podProcesses.ts';
import type { Status } from '../status.ts';

/** What the error channel says when a process has come to its end. */
export function exitStatus(exit: Exit): Status {
  const base = { kind: 'Status', apiVersion: 'v1', metadata: {} } as const;
  if (exit.is === 'failed')
    return {
      ...base,
      status: 'Failure',
      message: `Internal error occurred: ${exit.why}`,
      reason: 'InternalError',
      details: { causes: [{ message: exit.why }] },
      code: 500,
    };
  if (exit.code === 0) return { ...base, status: 'Success' };
  return {
    ...base,
    status: 'Failure',
    message: `command terminated with non-zero exit code: exit status ${exit.code}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(exit.code) }] },
  };
}
