import { definitionsPath, plain, plains, thing, things } from './kinds.ts';
import { group } from './kinds.ts';
import type { Client, Reply } from './client.ts';
import type { Answer, Ask, Scene, Told } from './scene.ts';
import { listAt, textAt } from '../../../../../runtime/embedded/api/json.ts';
import { showing } from './shown.ts';
import { mergePatch } from './scene.ts';

const patienceMs = 120_000;

/** Asks until the answer is as it is waited for. */
async function asked({ send }: Client, ask: Ask): Promise<Reply> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const reply = await send(ask).catch((why: unknown) => {
      throw new Error(`${ask.method} ${ask.path} ${JSON.stringify(ask.body)}`, { cause: why });
    });
    if (ask.until === undefined || ask.until(reply.body)) return reply;
    if (Date.now() > end) throw new Error(`${ask.method} ${ask.path} never answered so: ${JSON.stringify(reply.body)}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** Plays a scene from its first request to its last, and leaves nothing behind. */
export async function play(client: Client, { steps }: Scene): Promise<readonly Answer[]> {
  const show = showing();
  const answers: Answer[] = [];
  let told: Told = [];
  for (const step of steps) {
    const ask = typeof step === 'function' ? step(told) : step;
    const reply = await asked(client, ask);
    told = [...told, reply.body];
    answers.push(show(ask, reply));
  }
  await clear(client);
  return answers;
}

/** Declares the kinds that scenes are about. */
export async function declare(client: Client): Promise<void> {
  for (const body of [thing, plain]) {
    const { code, body: refusal } = await client.send({ method: 'POST', path: definitionsPath, body });
    if (code !== 201) throw new Error(`a kind is not taken: ${JSON.stringify(refusal)}`);
  }
  for (const path of [things, plains])
    await asked(client, { method: 'GET', path, until: ({ kind }) => kind === 'ThingList' || kind === 'PlainList' });
}

/** Deletes everything of the kinds of scenes, whoever holds it. */
async function clear(client: Client): Promise<void> {
  for (const path of [things, plains]) {
    const { body } = await client.send({ method: 'GET', path });
    for (const item of listAt(body, 'items')) {
      const own = `${path}/${textAt(item, 'metadata', 'name')}`;
      await client.send({ method: 'DELETE', path: own, body: { propagationPolicy: 'Background' } });
      await client.send({ method: 'PATCH', path: own, type: mergePatch, body: { metadata: { finalizers: null } } });
    }
  }
  const { body } = await client.send({ method: 'GET', path: definitionsPath });
  for (const item of listAt(body, 'items')) {
    const name = textAt(item, 'metadata', 'name');
    if (name.endsWith(`.other.${group}`)) await client.send({ method: 'DELETE', path: `${definitionsPath}/${name}` });
  }
}

/** Takes the kinds of scenes away again. */
export async function undeclare(client: Client): Promise<void> {
  for (const { metadata } of [thing, plain])
    await client.send({ method: 'DELETE', path: `${definitionsPath}/${textAt(metadata, 'name')}` });
}
