/** Creates UUIDv7s that rise within this process. Uses pooled randomness, because every write needs several ids. */
import { randomFillSync } from 'node:crypto';

const pool = Buffer.alloc(8_192);
let used = pool.length;
let lastMs = 0;
let counter = 0;

/** Written in place and read as one flat string. Joined strings would keep all their pieces in memory. */
const text = Buffer.from('00000000-0000-7000-8000-000000000000', 'latin1');
const digits = Buffer.from('0123456789abcdef', 'latin1');

/** RFC 9562: 48 bits of time, 12 bits of a counter that starts at random each millisecond, 62 random bits. */
export function newId(): string {
  if (used + 10 > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = used;
  used += 10;
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    // Only the lower half, which leaves room to count up.
    counter = pool.readUInt16BE(random) & 0x7ff;
  } else if (counter < 0xfff) {
    counter++;
  } else {
    // The counter is full or the clock stepped back: continues as if a millisecond had passed.
    lastMs++;
    counter = 0;
  }
  write(0, 8, Math.floor(lastMs / 0x1_0000));
  write(9, 4, lastMs % 0x1_0000);
  write(15, 3, counter);
  write(19, 4, (pool.readUInt16BE(random + 2) & 0x3fff) | 0x8000);
  write(24, 6, pool.readUIntBE(random + 4, 3));
  write(30, 6, pool.readUIntBE(random + 7, 3));
  return text.toString('latin1');
}

function write(at: number, length: number, value: number): void {
  let rest = value;
  for (let index = at + length - 1; index >= at; index--) {
    text[index] = digits[rest & 15] ?? 0;
    rest >>>= 4;
  }
}
