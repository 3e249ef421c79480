import type { Flag } from './command.ts';

/** The flags that every command takes, before or after it (document 002, Global flags). */
export const globalFlags: readonly Flag[] = [
  { flags: '--context <name>', about: 'the saved login to use; the current one otherwise' },
  { flags: '--url <address>', about: 'the address to ask, instead of CORE_URL and the saved one' },
  { flags: '--token <token>', about: 'the API token to ask with, instead of CORE_TOKEN and the saved one' },
  { flags: '-p, --project <id>', about: 'the project, instead of CORE_PROJECT and the saved default' },
  { flags: '-e, --environment <name>', about: 'the environment, instead of CORE_ENVIRONMENT and the saved default' },
  { flags: '--json', about: 'print JSON' },
  { flags: '-y, --yes', about: 'delete without asking' },
];

export const globalNames = ['context', 'url', 'token', 'project', 'environment', 'json', 'yes'] as const;
