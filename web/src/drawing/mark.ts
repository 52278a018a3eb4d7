// Marks one child of a list without rendering the list again, which would be too slow for pointer moves over a hundred
// words.

export function markChild(list: Element | null | undefined, index: number | undefined): void {
  list?.querySelector(':scope > [data-marked]')?.removeAttribute('data-marked');
  if (index !== undefined) list?.children[index]?.setAttribute('data-marked', '');
}
