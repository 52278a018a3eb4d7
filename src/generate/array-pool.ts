// Arrays that finished searches gave back, for the next ones: new megabytes for each batch keep the garbage collector busy.

/** Numbers kept at most, here 64 MB; what is given back beyond that is let go. */
const MOST_NUMBERS = 16_777_216;

export class ArrayPool {
  private readonly arrays: Float32Array[] = [];
  private numbers = 0;

  /** An array of at least this length that holds any finite numbers. */
  take(length: number): Float32Array {
    const place = this.arrays.findIndex((array) => array.length >= length);
    if (place < 0) return new Float32Array(length);
    const [array] = this.arrays.splice(place, 1);
    this.numbers -= array.length;
    return array;
  }

  /** Takes back an array that nobody reads any more. All its numbers must be finite. */
  give(array: Float32Array): void {
    if (this.numbers + array.length > MOST_NUMBERS) return;
    this.arrays.push(array);
    this.numbers += array.length;
  }
}
