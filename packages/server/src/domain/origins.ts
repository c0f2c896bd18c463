/** Which pages a public key is for: their origins, exactly or by all that lies below a name. */

/** `https://acme.com` as a browser writes it, with a star in place of the first name, or a star alone. */
export function isOriginPattern(pattern: string): boolean {
  if (pattern === '*') return true;
  const exact = pattern.replace('://*.', '://');
  // A star over a whole top-level domain would let in nearly everybody.
  if (exact !== pattern && !/^https?:\/\/[^/:]+\.[^/:.]+(:\d+)?$/.test(exact)) return false;
  return !exact.includes('*') && /^https?:\/\//.test(exact) && URL.parse(exact)?.origin === exact;
}

/** Without an origin it is no page that calls, or one that hides where it is from: only a star lets it in. */
export function isAllowedOrigin(origin: string | undefined, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => pattern === '*' || (origin !== undefined && matches(origin, pattern)));
}

function matches(origin: string, pattern: string): boolean {
  const [scheme, below] = pattern.split('*', 2);
  if (scheme === undefined || below === undefined) return origin === pattern;
  const name = origin.slice(scheme.length, origin.length - below.length);
  return origin.startsWith(scheme) && origin.endsWith(below) && /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(name);
}
