// A draw by chance that is the package's own: what `random.Random(seed).sample` of Python draws.

const N = 624, M = 397;

// The Mersenne Twister, begun as Python begins it from a whole number.
class Twister {
  constructor(seed) {
    this.state = new Uint32Array(N);
    this.at = N;
    this.key(words(seed));
  }
  start(seed) {
    this.state[0] = seed;
    for (let i = 1; i < N; i++) this.state[i] = Math.imul(1812433253, this.mixed(i)) + i;
  }
  key(key) {
    const { state } = this;
    this.start(19650218);
    let i = 1, j = 0;
    const next = () => {
      i += 1;
      if (i >= N) [state[0], i] = [state[N - 1], 1];
    };
    for (let k = Math.max(N, key.length); k; k--) {
      state[i] = (state[i] ^ Math.imul(this.mixed(i), 1664525)) + key[j] + j;
      next();
      j = (j + 1) % key.length;
    }
    for (let k = N - 1; k; k--) {
      state[i] = (state[i] ^ Math.imul(this.mixed(i), 1566083941)) - i;
      next();
    }
    state[0] = 0x80000000;
  }
  mixed(i) { return this.state[i - 1] ^ (this.state[i - 1] >>> 30); }
  turn() {
    const { state } = this;
    for (let i = 0; i < N; i++) {
      const y = (state[i] & 0x80000000) | (state[(i + 1) % N] & 0x7fffffff);
      state[i] = state[(i + M) % N] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
    }
    this.at = 0;
  }
  word() { // 32 bits
    if (this.at >= N) this.turn();
    let y = this.state[this.at++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }
  below(n) { // n is at most 2 ** 31
    const bits = 32 - Math.clz32(n);
    let found = n;
    while (found >= n) found = this.word() >>> (32 - bits);
    return found;
  }
}

// A seed in words of 32 bits, the lowest first; its sign does not count.
function words(seed) {
  let left = BigInt(Math.trunc(seed));
  if (left < 0n) left = -left;
  const found = [];
  do found.push(Number(left & 0xffffffffn)); while ((left >>= 32n));
  return found;
}

// n of these, in the order in which they are drawn; all of them where there are fewer.
export function drawn(places, n, seed) {
  const chance = new Twister(seed), of = places.length, many = Math.min(n, of);
  const large = 21 + (many > 5 ? 4 ** Math.ceil(Math.log(many * 3) / Math.log(4)) : 0);
  const pool = [...places];
  if (of <= large) {
    return Array.from({ length: many }, (_, i) => {
      const at = chance.below(of - i), found = pool[at];
      pool[at] = pool[of - i - 1];
      return found;
    });
  }
  const taken = new Set();
  while (taken.size < many) taken.add(chance.below(of)); // one that is drawn again is passed over
  return Array.from(taken, (at) => pool[at]);
}
