/** Puts a text on the clipboard. `navigator.clipboard` is undefined in a page that came over plain http from another machine. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const take = (event: ClipboardEvent) => {
    event.preventDefault();
    event.clipboardData?.setData('text/plain', text);
  };
  document.addEventListener('copy', take, { once: true });
  const isCopied = document.execCommand('copy');
  document.removeEventListener('copy', take);
  if (!isCopied) throw new Error('The browser refused to copy.');
}
