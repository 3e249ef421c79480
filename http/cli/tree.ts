import type { Command } from './command.ts';
import { config } from './commands/config.ts';
import { login } from './commands/login.ts';
import { logout, whoami } from './commands/session.ts';
import { version } from './commands/version.ts';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [login, logout, whoami, version, config];
