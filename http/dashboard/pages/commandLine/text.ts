import { programName, quoted } from '../../model/command.ts';

/** Commands that bring the command line to a terminal; the names in angle brackets are to be replaced. */
export const installCommands = [
  { what: 'the command that installs a release', text: 'CORE_REPO=<owner>/<name> sh install.sh' },
  { what: 'the command that installs a checkout', text: 'npm ci && npm link' },
] as const;

/** The command that signs in to the installation at an address. */
export const signInCommand = (address: string): string => `${programName} login --url ${quoted(address)}`;

/** What an agent's configuration holds to start the agent server itself; it acts as the login of the terminal. */
export const inputConfiguration = (address: string): string =>
  JSON.stringify(
    { mcpServers: { [programName]: { command: programName, args: ['mcp', '--url', address, '--read-only'] } } },
    null,
    2,
  );

/** The command that serves agents over HTTP, each with a token of its own. */
export const listenCommand = (address: string): string =>
  `${programName} mcp --url ${quoted(address)} --listen 127.0.0.1:7099`;

/** What an agent's configuration holds to reach that server. */
export const httpConfiguration = (): string =>
  JSON.stringify(
    {
      mcpServers: {
        [programName]: {
          type: 'http',
          url: 'http://127.0.0.1:7099/mcp',
          headers: { Authorization: 'Bearer <API_TOKEN>' },
        },
      },
    },
    null,
    2,
  );
export const pageHelp = 'Everything that this dashboard does, from a terminal, a script or an agent.';
export const installHelp = 'It needs Node 20.19 or later.';
export const signInHelp = 'It shows a code, which an admin approves here.';
export const localAgentHelp = 'The agent uses the login of the terminal, read-only.';
export const remoteAgentHelp = 'Each client sends an API token of its own and sees the tools that the token may use.';
