/** Checks of a webhook that its schema cannot express: reserved headers, and secrets that its format cannot sign with. */
import { type Problem, pointer, type UpdateWebhook, type Webhook } from '@holdpoint/protocol';
import type { StoredWebhook } from './webhook.ts';

/** Headers that frame the request, that the server sets, or that would change the meaning of an attempt. */
const reserved = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'expect',
  'forwarded',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
  'x-opengram-signature',
]);

const isReserved = (name: string): boolean => reserved.has(name) || name.startsWith('webhook-');

export function checkHeaders(headers: Readonly<Record<string, string>>): Problem[] {
  const seen = new Set<string>();
  return Object.keys(headers).flatMap((given): Problem[] => {
    const name = given.toLowerCase();
    const at = pointer('/headers', given);
    if (isReserved(name)) return [{ pointer: at, code: 'reserved', message: `The server sets the header ${given}.` }];
    if (seen.has(name)) return [{ pointer: at, code: 'duplicate', message: `The header ${given} appears twice.` }];
    seen.add(name);
    return [];
  });
}

/** Standard Webhooks: whsec_ and 24 to 64 bytes in base64. Opengram signs with any text. */
export function checkSecret(secret: string, format: Webhook['format']): Problem[] {
  const key = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1];
  const bytes = key === undefined ? 0 : Math.floor((key.replaceAll('=', '').length * 3) / 4);
  const isStandard = key !== undefined && key.length % 4 === 0 && bytes >= 24 && bytes <= 64;
  if (isStandard || (format === 'opengram' && !secret.startsWith('whsec_'))) return [];
  const message =
    format === 'opengram'
      ? 'A secret is whsec_ and 24 to 64 bytes in base64, or any other text of 16 to 128 characters.'
      : 'A secret is whsec_ and 24 to 64 bytes in base64. Only the format opengram takes other texts.';
  return [{ pointer: '/secret', code: 'secret', message }];
}

export function checkUpdate(before: StoredWebhook, { headers, format, status, from }: UpdateWebhook): Problem[] {
  const { record, secrets } = before;
  const isEnabling = status === 'enabled' && record.status === 'disabled';
  return [
    ...checkHeaders(headers ?? {}),
    ...secrets
      .flatMap(({ secret }) => checkSecret(secret, format ?? record.format))
      .slice(0, 1)
      .map(({ code }) => ({ pointer: '/format', code, message: 'First rotate the secret to one of this format.' })),
    ...(from !== undefined && !isEnabling
      ? [{ pointer: '/from', code: 'from', message: 'Send from only to enable a disabled webhook.' }]
      : []),
  ];
}
