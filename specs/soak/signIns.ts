import type { DeviceStart, DeviceToken } from '../../http/api.ts';
import type { SoakProcesses, OperatorPart } from './processes.ts';
import { violation, type Violation } from './violations.ts';
import { countOutcome, type Ledger } from './ledger.ts';
import type { Random } from './random.ts';
import type { Rest } from './rest.ts';
import type { Timeline } from './timeline.ts';

interface SigningIn {
  readonly processes: SoakProcesses;
  readonly ledger: Ledger;
  readonly rest: Rest;
  readonly random: Random;
  readonly timeline: Timeline;
}

/** Command lines that are signed in one after the other, until they are told to stop. */
export interface SignIns {
  readonly stop: () => Promise<void>;
}

const pauseMs = 700;
const polls = 3;
const withinMs = 30_000;
const json = { 'content-type': 'application/json' };

const post = async <T>({ url }: OperatorPart, path: string, body: object): Promise<T | null> => {
  const sent = { method: 'POST', headers: json, body: JSON.stringify(body), signal: AbortSignal.timeout(withinMs) };
  const answer = await fetch(new URL(path, url), sent);
  return answer.ok ? ((await answer.json()) as T) : null;
};

/** Each step goes to any of the operators: whichever leads has to answer it. Every token that came is in the ledger. */
export function startSignIns({ processes, ledger, rest, random, timeline }: SigningIn): SignIns {
  const anyOperator = (): OperatorPart => {
    const operator = random.pick(processes.operators);
    if (!operator) throw new Error('there is no operator');
    return operator;
  };

  async function signIn(): Promise<'done' | 'refused' | 'unknown'> {
    const started = await post<DeviceStart>(anyOperator(), '/api/v1/auth/device', { client_name: 'soak' });
    if (!started) return 'refused';
    const approving = { code: started.user_code, days: 7, access: 'viewer' };
    const approved = await rest.post(anyOperator(), '/api/v1/auth/device/approve', approving);
    if (approved.is !== 'done') return approved.is;
    for (let poll = 0; poll < polls; poll++) {
      const token = await post<DeviceToken>(anyOperator(), '/api/v1/auth/token', { device_code: started.device_code });
      if (token) {
        ledger.handedOver.push(token.access_token);
        return 'done';
      }
    }
    return 'refused';
  }

  let isStopping = false;
  const turn = async () => {
    while (!isStopping) {
      const is = await signIn().catch(() => 'unknown' as const);
      countOutcome(ledger, 'signIn', is);
      timeline.tell('load', `a command line is signed in: ${is}`);
      await new Promise((go) => setTimeout(go, pauseMs));
    }
  };
  const turning = turn();
  return {
    stop: async () => {
      isStopping = true;
      await turning;
    },
  };
}

/** A token that was handed over is good at every operator, and no two are the same. */
export async function signInFaults(
  { operators }: SoakProcesses,
  { handedOver }: Ledger,
): Promise<readonly Violation[]> {
  const twice = handedOver.length - new Set(handedOver).size;
  const asked = operators.flatMap((operator) =>
    handedOver.map(async (token): Promise<readonly Violation[]> => {
      const answer = await fetch(new URL('/api/v1/me', operator.url), {
        headers: { authorization: `Bearer ${token}` },
      });
      await answer.text();
      const id = token.split('_')[1] ?? '';
      return answer.ok ? [] : [violation(`the token ${id} was handed over and is answered ${answer.status}`, id)];
    }),
  );
  return [
    ...(twice > 0 ? [violation(`${twice} tokens were handed over twice`, '')] : []),
    ...(await Promise.all(asked)).flat(),
  ];
}
