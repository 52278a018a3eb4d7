// Converts 16-bit floating-point numbers to float32, without loss.

/** IEEE 754 binary16: a sign, 5 bits of exponent biased by 15, 10 bits of fraction. `0x3c00` is 1. */
export function float16ToFloat32(halves: Uint16Array): Float32Array {
  const floats = new Float32Array(halves.length);
  for (let i = 0; i < halves.length; i++) floats[i] = float16Value(halves[i]);
  return floats;
}

function float16Value(bits: number): number {
  const sign = bits >> 15 === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24; // subnormal, and zero
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** bfloat16: the upper half of a 32-bit float. `0x3f80` is 1. */
export function bfloat16ToFloat32(halves: Uint16Array): Float32Array {
  const floats = new Float32Array(halves.length);
  const words = new Uint32Array(floats.buffer);
  for (let i = 0; i < halves.length; i++) words[i] = halves[i] << 16;
  return floats;
}
