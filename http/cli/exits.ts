/** How a command ends (document 002, Errors). */
export const exits = {
  success: 0,
  otherError: 1,
  usage: 2,
  notFound: 3,
  notAllowed: 4,
  deployFailed: 5,
  timedOut: 6,
  interrupted: 130,
} as const;

export type Exit = (typeof exits)[keyof typeof exits];

/** What each code means, for those who write scripts. */
export const exitMessages: Readonly<Record<Exit, string>> = {
  0: 'success',
  1: 'any other error: the network, a value that the API refuses, a function that answered 400 or more',
  2: 'wrong usage: nothing was sent',
  3: 'not found: it is not there, or the token may not see it',
  4: 'not allowed: not signed in, signed out, or the role does not suffice',
  5: 'the deploy failed: its build, or its rollout',
  6: 'timed out: the deploy was not ready in time, or the sign-in was not approved in time',
  130: 'ended with Ctrl-C',
};

/** Ends the command: its message goes to standard error behind `Error: `. */
export class CommandFailure extends Error {
  readonly exit: Exit;
  /** Lines behind the message. */
  readonly hints: readonly string[];

  constructor(exit: Exit, message: string, ...hints: readonly string[]) {
    super(message);
    this.name = 'CommandFailure';
    this.exit = exit;
    this.hints = hints;
  }
}

/** The exit code of a refusal by the API. */
export const exitOfStatus = (status: number | null): Exit =>
  status === 404 ? exits.notFound : status === 401 || status === 403 ? exits.notAllowed : exits.otherError;

/** The code of a command that did several things: the first of those that did not go well decides (decision 122). */
export const firstExit = (before: Exit, next: Exit): Exit => (before === exits.success ? next : before);
