// Downloads a file to the user's machine.

export function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Some browsers read the URL only some time after the click has returned.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
