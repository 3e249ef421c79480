import type { Command } from './command.ts';
import { api, openapi } from './commands/api.ts';
import { apps, projects, stores } from './commands/apps.ts';
import { attention } from './commands/attention.ts';
import { completion } from './commands/completion.ts';
import { compliance } from './commands/compliance.ts';
import { config } from './commands/config.ts';
import { databases } from './commands/databases.ts';
import { deploy } from './commands/deploy.ts';
import { env } from './commands/env.ts';
import { explain, history, machines } from './commands/explain.ts';
import { functions } from './commands/functions.ts';
import { login } from './commands/login.ts';
import { logs } from './commands/logs.ts';
import { mcp } from './commands/mcp.ts';
import { metrics } from './commands/metrics.ts';
import { nodes } from './commands/nodes.ts';
import { rollback } from './commands/rollback.ts';
import { scale } from './commands/scale.ts';
import { logout, whoami } from './commands/session.ts';
import { status } from './commands/status.ts';
import { version } from './commands/version.ts';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  login,
  logout,
  whoami,
  version,
  config,
  apps,
  status,
  attention,
  deploy,
  logs,
  env,
  scale,
  rollback,
  metrics,
  projects,
  databases,
  stores,
  functions,
  nodes,
  compliance,
  explain,
  history,
  machines,
  api,
  openapi,
  mcp,
  completion,
];
