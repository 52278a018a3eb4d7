// A pool of arrays that searches reuse, since allocating megabytes for each batch keeps the garbage collector busy.

/** Capacity of the pool in numbers (64 MB); arrays beyond it are left to the garbage collector. */
const MOST_NUMBERS = 16_777_216;

export class ArrayPool {
  private readonly arrays: Float32Array[] = [];
  private numbers = 0;

  /** An array of at least this length; its contents are arbitrary finite numbers. */
  take(length: number): Float32Array {
    const place = this.arrays.findIndex((array) => array.length >= length);
    if (place < 0) return new Float32Array(length);
    const [array] = this.arrays.splice(place, 1);
    this.numbers -= array.length;
    return array;
  }

  /** Returns an array that is no longer used. All its numbers must be finite. */
  give(array: Float32Array): void {
    if (this.numbers + array.length > MOST_NUMBERS) return;
    this.arrays.push(array);
    this.numbers += array.length;
  }
}
