// Number formats for both languages of the page.

/** `12,345` */
export function formatCount(value: number): string {
  return Math.round(value).toLocaleString('en');
}
