/** Who has signed out on the server's own machine is not signed in again by the next tab, or the next look. */
const storedAs = 'holdpoint-console-left';

export const hasLeft = (): boolean => localStorage.getItem(storedAs) !== null;

export function setLeft(left: boolean): void {
  if (left) localStorage.setItem(storedAs, 'yes');
  else localStorage.removeItem(storedAs);
}
