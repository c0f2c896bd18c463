/**
 * Decides to which addresses a webhook may send: not to private ones, this machine, or others that are not on the internet.
 * The address of a name can change, so it is checked when a webhook is registered and again for every connection.
 */
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { Problem } from '@holdpoint/protocol';
import { fairLookups, type Resolve } from './fair-lookups.ts';
import { hostResolver, lookupError } from './resolve-host.ts';

export interface AddressRules {
  allowPrivate: boolean;
  resolve?: Resolve;
}

export interface Addresses {
  /** Returns a problem if no webhook may have this URL. The name lookup counts toward the org's share. */
  check(url: string, orgId: string): Promise<Problem | undefined>;
  /** Reports whether the host is a rejected IP address. Names are looked up when connecting. */
  isRefusedLiteral(url: string): boolean;
  /** Looks up names for connections of the org's webhooks. Rejects a name if one of its addresses is rejected. */
  lookupFor(orgId: string): LookupFunction;
}

/** Special-purpose ranges of the IANA registries, and multicast. */
const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Not from IANA: the host services of every machine in Azure.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/**
 * IANA assigns only 2000::/3 of IPv6. The first three entries reject all the rest: loopback, unspecified, mapped and translated
 * IPv4, link-local, unique local, multicast. The others are protocol assignments (with Teredo), documentation, 6to4.
 */
const special6 = ['::/3', '4000::/2', '8000::/1', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

/** One list for each family: a common list would also check every IPv4 address as an IPv6 one. */
const rejected = { 4: listOf(special4, 'ipv4'), 6: listOf(special6, 'ipv6') };

function listOf(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [net = '', prefix] = range.split('/');
    list.addSubnet(net, Number(prefix), family);
  }
  return list;
}

export function isPublicAddress(address: string): boolean {
  const [bare = ''] = address.split('%');
  const family = isIP(bare);
  if (family === 4) return !rejected[4].check(bare, 'ipv4');
  return family === 6 && !rejected[6].check(bare, 'ipv6');
}

/** Error code of a connection to a rejected address. */
export const privateAddressCode = 'ERR_PRIVATE_ADDRESS';

export function addressRules({ allowPrivate, resolve = hostResolver() }: AddressRules): Addresses {
  const resolveFor = fairLookups(resolve);
  const allows = (address: string) => allowPrivate || isPublicAddress(address);
  return {
    async check(text, orgId) {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      if (!url || !/^https?:$/.test(url.protocol)) return problem('The URL must begin with http:// or https://.');
      if (url.username !== '' || url.password !== '')
        return problem('The URL must not contain a password. Send the password in a header.');
      const host = hostOf(url);
      const found = isIP(host) ? [{ address: host }] : await resolveFor(host, orgId).catch(() => []);
      if (found.length === 0) return problem(`The host ${host} does not resolve to an address.`);
      if (!found.every(({ address }) => allows(address)))
        return problem(
          `The host ${host} has an address that is private, or not on the internet. To allow it, start the server with --allow-private-webhooks.`,
        );
      return undefined;
    },
    isRefusedLiteral(url) {
      const host = hostOf(new URL(url));
      return isIP(host) !== 0 && !allows(host);
    },
    lookupFor: (orgId) => (host, options, callback) => {
      resolveFor(host, orgId).then(
        (found) => {
          const wanted = found.filter(
            ({ family }) => typeof options.family !== 'number' || [0, family].includes(options.family),
          );
          const [first] = wanted;
          if (!first) callback(lookupError('ENOTFOUND', 'There is no such host.'), '', 0);
          else if (!found.every(({ address }) => allows(address)))
            callback(lookupError(privateAddressCode, 'The address of the host is not allowed.'), '', 0);
          else if (options.all) callback(null, wanted);
          else callback(null, first.address, first.family);
        },
        (error: NodeJS.ErrnoException) => callback(error, '', 0),
      );
    },
  };
}

const problem = (message: string): Problem => ({ pointer: '/url', code: 'url', message });

/** Without the brackets of IPv6. `URL` has already normalized numbers such as 0x7f.1. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');
