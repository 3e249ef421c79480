import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/** What ends the commands of a server that can no longer do so. */
export interface Guard {
  /** Tells that there is nothing to end. */
  readonly stop: () => void;
}

/**
 * Waits until its input ends, which it does however the server ends. Then it kills what has its home or stands in a
 * folder that begins with $1, until nothing does, and removes the folders.
 */
const script = `
read -r word && exit 0
for round in 1 2 3 4 5; do
  found=
  for process in /proc/[0-9]*; do
    pid=\${process#/proc/}
    [ "$pid" = "$$" ] && continue
    at=$(readlink "$process/cwd" 2>/dev/null)
    case "$at/" in "$1"*) ;; *) grep -qzF "HOME=$1" "$process/environ" 2>/dev/null || continue ;; esac
    kill -9 "$pid" 2>/dev/null && found=yes
  done
  [ -z "$found" ] && break
done
rm -rf -- "$1"*
`;

/** Starts a process that outlives this one; `homes` is how the paths of its folders begin. */
export function startGuard(homes: string): Guard {
  // Apart from the group of the server, so that what is sent to that does not reach it.
  const child = spawn('/bin/sh', ['-c', script, 'core-exec-guard', homes], {
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without it commands are ended as before, but for a server that is killed.
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.unref();
  (child.stdin as Socket).unref();
  return { stop: () => void child.stdin.end('done\n') };
}
