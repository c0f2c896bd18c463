/** Public keys: their settings, the origins of pages that may use them, and the visitors of those pages. */
import { type ActorRef, checkJson, limits, type Problem, type PublicKeySettings, pointer } from '@holdpoint/protocol';

export function publicKeyProblems({ allowedOrigins, intents = [], widget = {} }: PublicKeySettings): Problem[] {
  const names = intents.map(({ name }) => name);
  const bounds = { maxBytes: limits.jsonBytes, maxDepth: limits.jsonDepth };
  return [
    ...allowedOrigins.flatMap((origin, index) => (isOriginPattern(origin) ? [] : [originProblem(index)])),
    ...intents.flatMap(({ name }, index) =>
      names.indexOf(name) === index
        ? []
        : [{ pointer: `/public/intents/${index}/name`, code: 'unique', message: 'Another intent has this name.' }],
    ),
    ...checkJson(intents, bounds, '/public/intents'),
    ...checkJson(widget, bounds, '/public/widget'),
  ];
}

const originProblem = (index: number): Problem => ({
  pointer: pointer('/public/allowedOrigins', index),
  code: 'origin',
  message: 'Write an origin as https://acme.com, https://*.acme.com or *, without a path.',
});

/** Accepts `https://acme.com`, `https://*.acme.com` and `*`. */
function isOriginPattern(pattern: string): boolean {
  if (pattern === '*') return true;
  const exact = pattern.replace('://*.', '://');
  // A star for a whole top-level domain would admit nearly every page.
  if (exact !== pattern && !/^https?:\/\/[^/:]+\.[^/:.]+(:\d+)?$/.test(exact)) return false;
  return !exact.includes('*') && /^https?:\/\//.test(exact) && URL.parse(exact)?.origin === exact;
}

/** A call without an origin comes from no page, or from a page that hides its origin. Only a star admits it. */
export function isAllowedOrigin(origin: string | undefined, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => pattern === '*' || (origin !== undefined && matches(origin, pattern)));
}

function matches(origin: string, pattern: string): boolean {
  const [scheme, below] = pattern.split('*', 2);
  if (scheme === undefined || below === undefined) return origin === pattern;
  const name = origin.slice(scheme.length, origin.length - below.length);
  return origin.startsWith(scheme) && origin.endsWith(below) && /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(name);
}

export const visitorId = (newId: () => string, customerId: string | undefined): string =>
  customerId === undefined ? `visitor:${newId()}` : `customer:${customerId}`;

export const isVisitor = ({ type, id }: ActorRef): boolean => type === 'human' && /^(visitor|customer):/.test(id);
