/** Addresses that a page may lead to: http and https, and what lies on this server. Scripts and data are none. */
export function isSafeUrl(url: unknown): url is string {
  if (typeof url !== 'string' || url === '') return false;
  const protocol = URL.parse(url, 'https://holdpoint.invalid')?.protocol;
  return protocol === 'https:' || protocol === 'http:';
}
