/** One field of a protobuf message as it stands on the wire. */
export type Field =
  | { readonly number: number; readonly kind: 'varint'; readonly value: bigint }
  | { readonly number: number; readonly kind: 'bytes'; readonly value: Buffer }
  | { readonly number: number; readonly kind: 'fixed64'; readonly value: number };

export class Malformed extends Error {
  override readonly name = 'Malformed';
}

/** Counts what is read of one body. */
export type Count = () => void;

/** The fields of a message in their order. */
export function* fieldsIn(message: Buffer, count: Count): Generator<Field> {
  let at = 0;

  function varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[at++];
      if (byte === undefined) throw new Malformed('a number ends early');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new Malformed('a number is too long');
  }

  function take(length: number): Buffer {
    if (length > message.length - at) throw new Malformed('a field ends early');
    at += length;
    return message.subarray(at - length, at);
  }

  while (at < message.length) {
    count();
    const tag = Number(varint());
    const number = tag >>> 3;
    const wire = tag & 7;
    if (wire === 0) yield { number, kind: 'varint', value: varint() };
    else if (wire === 1) yield { number, kind: 'fixed64', value: take(8).readDoubleLE() };
    else if (wire === 2) yield { number, kind: 'bytes', value: take(Number(varint())) };
    else throw new Malformed(`wire type ${wire} is not known`);
  }
}
