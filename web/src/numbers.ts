// Numbers as both languages of the page write them.

/** `12,345` */
export function formatCount(value: number): string {
  return Math.round(value).toLocaleString('en');
}
