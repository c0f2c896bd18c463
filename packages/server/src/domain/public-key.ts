/** What a public key may be set to, beyond its shape. */
import { checkJson, limits, type Problem, type PublicKeySettings, pointer } from '@holdpoint/protocol';
import { isOriginPattern } from './origins.ts';

export function publicKeyProblems({ allowedOrigins, intents = [], widget = {} }: PublicKeySettings): Problem[] {
  const bounds = { maxBytes: limits.jsonBytes, maxDepth: limits.jsonDepth };
  return [
    ...allowedOrigins.flatMap((origin, index) => (isOriginPattern(origin) ? [] : [originProblem(index)])),
    ...intents.flatMap(({ name }, index) =>
      intents.findIndex((other) => other.name === name) === index ? [] : [sameIntent(index)],
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

const sameIntent = (index: number): Problem => ({
  pointer: `/public/intents/${index}/name`,
  code: 'unique',
  message: 'Another intent has this name.',
});
