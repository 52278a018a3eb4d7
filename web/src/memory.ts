// Choices kept between visits. A browser that forbids storage forgets them, no more.

export function remembered(name: string): string | undefined {
  try {
    return localStorage.getItem(`heed.${name}`) ?? undefined;
  } catch {
    return undefined;
  }
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`heed.${name}`, value);
  } catch {
    // Storage may be full or forbidden.
  }
}
