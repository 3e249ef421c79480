const bits = 8;

/** One step of a reflected CRC over a whole byte, for each byte: the high and the low half of the rest. */
function tableOf([high, low]: readonly [number, number]) {
  const table = { high: new Uint32Array(256), low: new Uint32Array(256) };
  for (let byte = 0; byte < 256; byte++) {
    let [h, l] = [0, byte];
    for (let bit = 0; bit < bits; bit++) {
      const isOdd = (l & 1) === 1;
      l = (l >>> 1) | (h << 31);
      h >>>= 1;
      if (isOdd) [h, l] = [h ^ high, l ^ low];
    }
    table.high[byte] = h;
    table.low[byte] = l;
  }
  return table;
}

const castagnoli = tableOf([0, 0x82_f6_3b_78]).low;
const nvme = tableOf([0x9a_6c_93_29, 0xac_4b_c9_b5]);

/** CRC-32C continued from `before` (`0` at first) over these bytes. */
export function crc32c(bytes: Uint8Array, before: number): number {
  let crc = ~before;
  for (const byte of bytes) crc = (castagnoli[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> bits);
  return ~crc >>> 0;
}

/** The two halves of a CRC of 64 bits. */
export interface Halves {
  readonly high: number;
  readonly low: number;
}

/** CRC-64/NVME continued from `before` (both halves `0` at first) over these bytes. */
export function crc64nvme(bytes: Uint8Array, before: Halves): Halves {
  let [high, low] = [~before.high, ~before.low];
  for (const byte of bytes) {
    const at = (low ^ byte) & 0xff;
    low = (nvme.low[at] ?? 0) ^ ((low >>> bits) | (high << 24));
    high = (nvme.high[at] ?? 0) ^ (high >>> bits);
  }
  return { high: ~high >>> 0, low: ~low >>> 0 };
}
