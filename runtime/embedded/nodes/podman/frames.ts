/** A piece of what a process wrote, and to which of its two streams. */
export interface Frame {
  readonly stream: 1 | 2;
  readonly data: Buffer;
}

const headBytes = 8;

/** Takes the two streams of a process apart again that come over one connection. */
export function frameReader(): (chunk: Buffer) => readonly Frame[] {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const frames: Frame[] = [];
    while (rest.length >= headBytes) {
      const end = headBytes + rest.readUInt32BE(4);
      if (rest.length < end) break;
      frames.push({ stream: rest[0] === 2 ? 2 : 1, data: rest.subarray(headBytes, end) });
      rest = rest.subarray(end);
    }
    return frames;
  };
}
