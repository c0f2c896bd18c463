/** The addresses of the server that an admin enters at an identity provider. */
import { useMe } from '../me.ts';
import { CopyButton } from '../parts/code.tsx';
import type { ProviderUrls } from './provider-urls.ts';

export function ProviderAddresses({ callbackUrl, logoutUrl }: ProviderUrls) {
  const { publicUrl } = useMe();
  if (callbackUrl === undefined || logoutUrl === undefined || publicUrl === undefined) return null;
  const addresses = [
    ['Redirect URI', callbackUrl],
    ['Back-channel logout URI', logoutUrl],
    ['Post-logout redirect URI', `${publicUrl}/`],
  ] as const;
  return (
    <dl class="addresses">
      {addresses.map(([title, url]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>
            <code>{url}</code>
            <CopyButton text={url} what={`the ${title}`} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Warns if the addresses are not those at which people open this page. */
export function AddressWarning() {
  const { publicUrl } = useMe();
  if (publicUrl === location.origin) return null;
  return (
    <p class="note warn">
      {publicUrl === undefined
        ? 'The server does not know its address, so nobody can return to it from a provider.'
        : `Providers return people to ${publicUrl}, but you opened this page at ${location.origin}.`}{' '}
      Start the server with <code>--public-url</code> and the address that people open.
    </p>
  );
}
