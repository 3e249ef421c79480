import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  type DecodedPacket,
  decode,
  encode,
  type Packet,
  type Question,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
  TRUNCATED_RESPONSE,
} from 'dns-packet';
import type { View } from '../view.ts';
import { type Known, lookUp, type Ranges } from './names.ts';
import { askServers } from './upstream.ts';

export type Way = 'udp' | 'tcp';

export interface Resolving {
  readonly view: () => View;
  readonly ranges: Ranges;
  /** Who is asked for the names of the world. */
  readonly servers: () => readonly string[];
}

/** Records that follow changes of the cluster soon. */
const ttl = 5;
const code = { servfail: 2, nxdomain: 3 } as const;
const mostAliases = 8;
/** What a packet may be long where the asker says nothing, and at most. */
const usualBytes = 512;
const mostBytes = 1_232;

/** The answer to a packet from an address; null where it is no question. */
export async function answerTo(resolving: Resolving, packet: Buffer, from: string, way: Way): Promise<Buffer | null> {
  const asked = questionIn(packet);
  if (asked === null) return null;
  const { query, question } = asked;
  const namespace = resolving.view().podsByIp.get(from)?.namespace ?? null;
  const known = knownOf(resolving, question, namespace);
  if (known.is === 'elsewhere') {
    const answer = await askServers(resolving.servers(), packet, way);
    return answer ?? replyTo(query, { answers: [], rcode: code.servfail, way });
  }
  if (known.is === 'nowhere') return replyTo(query, { answers: [], rcode: code.nxdomain, way });
  const answers = await recordsOf(resolving, question, known, namespace);
  return replyTo(query, { answers, rcode: 0, way });
}

const knownOf = ({ view, ranges }: Resolving, { name, type }: Question, from: string | null): Known =>
  lookUp(view(), ranges, { name, type, from });

function questionIn(packet: Buffer): { readonly query: DecodedPacket; readonly question: Question } | null {
  try {
    const query = decode(packet);
    const [question] = query.questions ?? [];
    return query.type === 'query' && question ? { query, question } : null;
  } catch {
    return null;
  }
}

/** The records of a name, and of the names that it stands for. */
async function recordsOf(
  resolving: Resolving,
  asked: Question,
  first: Known,
  namespace: string | null,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  let [name, known] = [asked.name, first];
  while (known.is === 'alias' && answers.length < mostAliases) {
    answers.push({ type: 'CNAME', name, ttl, data: known.target });
    name = known.target;
    known = knownOf(resolving, { ...asked, name }, namespace);
  }
  if (known.is === 'records') answers.push(...known.records.map((record) => ({ name, ttl, ...record })));
  if (known.is === 'elsewhere') answers.push(...(await elsewhere(resolving, { ...asked, name })));
  return answers;
}

async function elsewhere({ servers }: Resolving, question: Question): Promise<readonly Answer[]> {
  const packet = encode({ type: 'query', id: 1, flags: RECURSION_DESIRED, questions: [question] });
  const answer = await askServers(servers(), packet, 'tcp').then((got) => got ?? askServers(servers(), packet, 'udp'));
  return answer ? (decode(answer).answers ?? []) : [];
}

interface Reply {
  readonly answers: readonly Answer[];
  readonly rcode: number;
  readonly way: Way;
}

/** Over UDP an answer that does not fit is left out, and the asker comes again over TCP. */
function replyTo({ id = 0, flags = 0, questions = [], additionals = [] }: DecodedPacket, reply: Reply): Buffer {
  const option = additionals.find((one) => one.type === 'OPT');
  const packet: Packet = {
    type: 'response',
    id,
    flags: AUTHORITATIVE_ANSWER | RECURSION_AVAILABLE | (flags & RECURSION_DESIRED) | reply.rcode,
    questions,
    answers: [...reply.answers],
    additionals: option
      ? [
          {
            type: 'OPT',
            name: '.',
            udpPayloadSize: mostBytes,
            extendedRcode: 0,
            ednsVersion: 0,
            flags: 0,
            flag_do: false,
            options: [],
          },
        ]
      : [],
  };
  const whole = encode(packet);
  const room = Math.min(mostBytes, Math.max(usualBytes, option?.udpPayloadSize ?? 0));
  if (reply.way === 'tcp' || whole.length <= room) return whole;
  return encode({ ...packet, answers: [], flags: (packet.flags ?? 0) | TRUNCATED_RESPONSE });
}
