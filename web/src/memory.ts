// Settings that are kept between visits. Without storage they last until the page is closed.

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
