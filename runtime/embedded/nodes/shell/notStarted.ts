/** Why a command never began, in the words of a container runtime. */
export const notStarted = (program: string, why: string): string =>
  'error executing command in container: failed to exec in container: failed to start exec: OCI runtime exec failed: ' +
  `exec failed: unable to start container process: exec: ${JSON.stringify(program)}: ${why}: unknown`;

/** Why there is no program of that name. */
export const notThere = (program: string): string =>
  program.includes('/') ? `stat ${program}: no such file or directory` : 'executable file not found in $PATH';
