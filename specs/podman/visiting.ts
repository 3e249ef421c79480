import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** What a visitor of the service `hello` is answered, with its status, or why there was no answer. */
export async function visit(): Promise<string> {
  const headers = { host: 'hello.apps.localhost' };
  const sent = request({ host: '127.0.0.1', port: 8080, headers, agent: false, timeout: 10_000 });
  sent.on('timeout', () => sent.destroy(new Error('no answer in 10 s')));
  sent.end();
  try {
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return `${answer.statusCode} ${await text(answer)}`;
  } catch (why) {
    return String(why);
  }
}

/** Visitors all the while; an answer counts where the server was there from the question to the answer. */
export function visitors() {
  let life = 0;
  let isThere = true;
  let isOver = false;
  const answers = new Map<string, number>();
  const one = async () => {
    while (!isOver) {
      const [asked, wasThere] = [life, isThere];
      const answer = await visit();
      if (wasThere && isThere && asked === life) answers.set(answer, (answers.get(answer) ?? 0) + 1);
      await pause(5);
    }
  };
  const all = Array.from({ length: 4 }, one);
  return {
    away: () => {
      life += 1;
      isThere = false;
    },
    back: () => {
      isThere = true;
    },
    answers: (): ReadonlyMap<string, number> => answers,
    end: async () => {
      isOver = true;
      await Promise.all(all);
      return answers;
    },
  };
}
