// Gives the user a file.

export function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has begun when the click returns, but some browsers read the address a little later.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
