/** The relying party of a request: passkeys belong to a host name, and browsers offer them only to its pages. */
import { isIP } from 'node:net';
import { fail } from '@holdpoint/protocol';
import type { FastifyRequest } from 'fastify';
import type { RelyingParty } from '../../domain/people/passkeys.ts';

/** The configured address decides, because a proxy may have replaced the Host. */
export function relyingPartyOf(
  { headers: { origin, host } }: Pick<FastifyRequest, 'headers'>,
  publicUrl: string | undefined,
): RelyingParty {
  const opened = origin ?? publicUrl ?? `http://${host}`;
  const page = new URL(URL.canParse(opened) ? opened : 'http://unnamed');
  if (publicUrl !== undefined && page.origin !== new URL(publicUrl).origin)
    return fail('invalid-input', `Passkeys work only at the address of this server. Open it as ${publicUrl}.`);
  const { hostname, port } = page;
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  if (!isAddress) return { id: hostname, origin: page.origin };
  const named = `http://localhost${port ? `:${port}` : ''}`;
  const isHere = /^(127\.|\[::1\])/.test(hostname);
  return fail(
    'invalid-input',
    isHere
      ? `Passkeys need a host name, and ${hostname} is an address. Open this page as ${named}.`
      : `Passkeys need a host name and https, and ${hostname} is an address. Start the server with --public-url and the address that people open.`,
  );
}
