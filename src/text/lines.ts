// Text as lines. A line ends at \n and nowhere else; U+2028, U+0085, VT, FF and a lone \r are characters like any other,
// so that line i of one file always belongs to line i of the other.

/**
 * The lines of a text. One trailing \r of each line is dropped, a byte-order mark at the start is dropped, and a final
 * newline gives no extra line: `splitLines('a\r\n\nb\n')` is `['a', '', 'b']`, and the empty text has no lines.
 */
export function splitLines(text: string): string[] {
  const lines = (text.startsWith('\uFEFF') ? text.slice(1) : text).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map(withoutCarriageReturn);
}

/**
 * The same lines out of UTF-8 bytes that arrive in chunks; a chunk may end inside a character or a line. Holds one chunk
 * and one line at a time, so an endless stream is fine. Bytes that are not UTF-8 become U+FFFD and never shift a line.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder(); // drops the byte-order mark at the very start itself
  let open = ''; // the line that has not ended yet
  for await (const chunk of chunks) {
    const [rest, ...begun] = decoder.decode(chunk, { stream: true }).split('\n');
    open += rest;
    for (const next of begun) {
      yield withoutCarriageReturn(open);
      open = next;
    }
  }
  open += decoder.decode();
  if (open !== '') yield withoutCarriageReturn(open);
}

function withoutCarriageReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
