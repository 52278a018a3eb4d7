// Marks one child of a list without drawing the list anew: a hundred words would be too slow to follow a pointer.

export function markChild(list: Element | null | undefined, index: number | undefined): void {
  list?.querySelector(':scope > [data-marked]')?.removeAttribute('data-marked');
  if (index !== undefined) list?.children[index]?.setAttribute('data-marked', '');
}
