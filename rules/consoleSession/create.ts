import type { VerdictRule } from '../verdict.ts';
import type { ConsoleSessionFacts } from './facts.ts';
import { type ConsoleSessionLimits, consoleSessionLimits } from './limits.ts';
import { closed } from '../words.ts';

export type CreateAsked = Pick<ConsoleSessionFacts, 'caller' | 'targetNamed' | 'pod' | 'commandWords'>;

const commandMessage = () => closed('command is required');

/** Whether a console session may be created, in the order checked. */
export const createAnswerWith = (limits: ConsoleSessionLimits): readonly VerdictRule<CreateAsked>[] => [
  {
    reason: 'ViewerRefused',
    status: 'False',
    when: ({ caller }) => caller === 'viewer',
    message: () => closed('Your viewer role cannot open consoles.'),
  },
  {
    reason: 'NotAdmin',
    status: 'False',
    when: ({ caller }) => caller !== 'admin',
    message: () => closed('opening a console needs an admin session or an admin workspace token'),
  },
  {
    reason: 'TargetMissing',
    status: 'False',
    when: ({ targetNamed, pod }) => !targetNamed || pod === 'noneRuns',
    message: () => closed('a running pod and container are required'),
  },
  {
    reason: 'PodUnfit',
    status: 'False',
    when: ({ pod }) => pod !== 'running',
    message: () => closed('pod is not running or pod is not part of the app'),
  },
  {
    reason: 'CommandEmpty',
    status: 'False',
    when: ({ commandWords }) => !(commandWords >= limits.commandMinWords),
    message: commandMessage,
  },
  {
    reason: 'CommandTooLong',
    status: 'False',
    when: ({ commandWords }) => commandWords > limits.commandMaxWords,
    message: commandMessage,
  },
  { reason: 'Created', status: 'True', when: () => true, message: () => closed('console session created') },
];

export const createAnswer = createAnswerWith(consoleSessionLimits);
