import { Context, Data, type Effect } from 'effect';

/** A command on a server, with its input; the key and the input are secrets. */
export interface SshCommand {
  readonly host: string;
  readonly user: string;
  readonly privateKey: string;
  /** The accepted keys of the server; any when empty (002 Authentication). */
  readonly knownHosts: string;
  readonly command: string;
  readonly input: string;
}

/** The server was not reached, refused the login, presented another key, or the command failed. */
export class SshFailed extends Data.TaggedError('SshFailed')<{ readonly message: string }> {}

export interface SshShape {
  readonly run: (asked: SshCommand) => Effect.Effect<void, SshFailed>;
}

/** Runs commands on servers that are to join the cluster. */
export class Ssh extends Context.Service<Ssh, SshShape>()('core/Ssh') {}
