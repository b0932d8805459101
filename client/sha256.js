/**
 * SHA-256 (FIPS 180-4), because plain http has no `crypto.subtle`.
 */

const PRIMES = firstPrimes(64);
const ROUND = PRIMES.map((p) => fraction(Math.cbrt(p)));
const INITIAL = PRIMES.slice(0, 8).map((p) => fraction(Math.sqrt(p)));

/**
 * @param {Uint8Array} message
 * @returns {Uint8Array} 32 bytes
 */
export function sha256(message) {
  const bytes = padded(message);
  const view = new DataView(bytes.buffer);
  const hash = Uint32Array.from(INITIAL);
  const words = new Uint32Array(64);
  for (let at = 0; at < bytes.length; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(at + 4 * i);
    compress(hash, words);
  }
  const digest = new DataView(new ArrayBuffer(32));
  hash.forEach((word, i) => digest.setUint32(4 * i, word));
  return new Uint8Array(digest.buffer);
}

/**
 * @param {Uint32Array} hash eight words, changed in place
 * @param {Uint32Array} w the block's sixteen words, and room for 48 more
 */
function compress(hash, w) {
  for (let i = 16; i < 64; i++) {
    const a = at(w, i - 15);
    const b = at(w, i - 2);
    const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
    const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
    w[i] = at(w, i - 16) + s0 + at(w, i - 7) + s1;
  }
  let [a, b, c, d, e, f, g, h] =
    /** @type {[number, number, number, number, number, number, number, number]} */ (
      /** @type {unknown} */ (Array.from(hash))
    );
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + (ROUND[i] ?? 0) + at(w, i)) >>> 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + two) >>> 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    hash[i] = at(hash, i) + word;
  });
}

/**
 * @param {Uint32Array} words
 * @param {number} i
 */
function at(words, i) {
  return words[i] ?? 0;
}

/**
 * @param {number} word
 * @param {number} by
 */
function turn(word, by) {
  return (word >>> by) | (word << (32 - by));
}

/** @param {number} root the first 32 bits behind the point */
function fraction(root) {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

/** @param {Uint8Array} message */
function padded(message) {
  const blocks = Math.ceil((message.length + 9) / 64);
  const bytes = new Uint8Array(64 * blocks);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(bytes.length - 4, (message.length << 3) >>> 0);
  return bytes;
}

/** @param {number} count */
function firstPrimes(count) {
  /** @type {number[]} */
  const primes = [];
  for (let n = 2; primes.length < count; n++) {
    if (primes.every((p) => n % p !== 0)) primes.push(n);
  }
  return primes;
}
