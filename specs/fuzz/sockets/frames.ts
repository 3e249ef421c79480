import { randomBytes } from 'node:crypto';

type Draw = () => number;
const among = <A>(draw: Draw, values: readonly [A, ...A[]]): A =>
  values[Math.floor(draw() * values.length)] ?? values[0];

interface FrameParts {
  readonly opcode: number;
  readonly data: Buffer;
  readonly isLast: boolean;
  readonly reserved: number;
  readonly isMasked: boolean;
  /** The length that the header tells; that of the data by default. */
  readonly told: number;
}

/** A frame of RFC 6455, as right as its parts are. */
function frameOf(parts: Pick<FrameParts, 'opcode' | 'data'> & Partial<FrameParts>): Buffer {
  const { opcode, data, isLast = true, reserved = 0, isMasked = true, told = data.length } = parts;
  const first = (isLast ? 0x80 : 0) | (reserved << 4) | opcode;
  const flag = isMasked ? 0x80 : 0;
  const head = told < 126 ? Buffer.of(first, flag | told) : Buffer.alloc(told < 65_536 ? 4 : 10);
  if (told >= 126) {
    head[0] = first;
    head[1] = flag | (told < 65_536 ? 126 : 127);
    if (told < 65_536) head.writeUInt16BE(told, 2);
    else head.writeBigUInt64BE(BigInt(told), 2);
  }
  if (!isMasked) return Buffer.concat([head, data]);
  const mask = randomBytes(4);
  return Buffer.concat([head, mask, data.map((byte, index) => byte ^ (mask[index % 4] ?? 0))]);
}

const texts = [
  '',
  'null',
  '[]',
  '{"resize":{"cols":0,"rows":24}}',
  '{"resize":{"cols":1e9,"rows":-1}}',
  '{"resize":{"cols":80,"rows":24}}',
  '{"resize":null}',
  '{"ack":0}',
  '{"ack":-1}',
  '{"ack":9007199254740993}',
  '{"ack":1e400}',
  '{"__proto__":{"ack":1}}',
  `{"ack":${'9'.repeat(400)}}`,
  '['.repeat(20_000),
] as const;

const frames: readonly [(draw: Draw) => Buffer, ...((draw: Draw) => Buffer)[]] = [
  (draw) => frameOf({ opcode: 1, data: Buffer.from(among(draw, texts)) }),
  () => frameOf({ opcode: 1, data: Buffer.of(0xc3, 0x28, 0xff) }),
  (draw) => frameOf({ opcode: 2, data: randomBytes(Math.floor(draw() * 4_000)) }),
  () => frameOf({ opcode: 2, data: Buffer.alloc(64 * 1_024 + 1) }),
  () => frameOf({ opcode: 2, data: Buffer.alloc(64 * 1_024, 'x') }),
  () => frameOf({ opcode: 2, data: Buffer.alloc(10), told: 2 ** 40 }),
  () => frameOf({ opcode: 2, data: Buffer.from('x'), isMasked: false }),
  (draw) => frameOf({ opcode: 2, data: Buffer.from('x'), reserved: 1 + Math.floor(draw() * 7) }),
  (draw) => frameOf({ opcode: among(draw, [3, 4, 7, 11, 15]), data: Buffer.from('x') }),
  () => frameOf({ opcode: 9, data: Buffer.alloc(126) }),
  () => frameOf({ opcode: 9, data: Buffer.from('are you there') }),
  () => frameOf({ opcode: 8, data: Buffer.of(0x03) }),
  () => frameOf({ opcode: 8, data: Buffer.of(0x00, 0x01) }),
  () => frameOf({ opcode: 0, data: Buffer.from('goes on with nothing') }),
  () => Buffer.concat(Array.from({ length: 300 }, () => frameOf({ opcode: 1, data: Buffer.from('{'), isLast: false }))),
  (draw) => randomBytes(1 + Math.floor(draw() * 200)),
];

/** Frames, each of them whole or cut off. */
export const drawnFrames = (draw: Draw): readonly Buffer[] =>
  Array.from({ length: 1 + Math.floor(draw() * 4) }, () => {
    const frame = among(draw, frames)(draw);
    return draw() < 0.2 ? frame.subarray(0, Math.floor(draw() * frame.length)) : frame;
  });

/** A request to upgrade, with something wrong. */
export function drawnHandshake(draw: Draw, path: string, token: string): string {
  const headers: readonly [string, ...string[]] = [
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    `Authorization: Bearer ${token}`,
  ];
  const odd: readonly [string, ...string[]] = [
    'Sec-WebSocket-Version: 12',
    'Sec-WebSocket-Key: short',
    'Sec-WebSocket-Extensions: permessage-deflate; =;;',
    'Sec-WebSocket-Protocol: a,a,,',
    'Upgrade: h2c',
    'Origin: null',
    'Content-Length: 5',
    'Transfer-Encoding: chunked',
    'Authorization: Bearer \u00e9',
  ];
  const dropped = Math.floor(draw() * (headers.length + 2));
  const kept = headers.filter((_, index) => index === 0 || index !== dropped);
  const paths = [
    path,
    `${path}&session=x`,
    path.replace(/session=/, 'session=%00'),
    path.replace('web', '..%2f..'),
  ] as const;
  const method = among(draw, ['GET', 'GET', 'GET', 'POST', 'HEAD']);
  return [`${method} ${among(draw, paths)} HTTP/1.1`, ...kept, among(draw, odd), '', ''].join('\r\n');
}
