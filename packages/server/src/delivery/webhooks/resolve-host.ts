/**
 * Finds the addresses of a host name: in the hosts file, then by DNS. It does not use getaddrinfo, which runs on threads
 * that the whole process shares: two names whose DNS server does not answer would block every other lookup for seconds.
 */
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { Address, Resolve } from './fair-lookups.ts';

const deadlineMs = 5_000;
const queryMs = 2_000;
const tries = 2;

export interface ResolverOptions {
  hostsFile?: string;
  /** File with the search domains. The DNS servers of the system are always used, unless `servers` is given. */
  resolverFile?: string;
  servers?: readonly string[];
}

export function hostResolver(options: ResolverOptions = {}): Resolve {
  const { hostsFile = '/etc/hosts', resolverFile = '/etc/resolv.conf', servers } = options;
  return async (host) => {
    const listed = addressesIn(await linesOf(hostsFile), host);
    if (listed.length > 0) return listed;
    if (/(^|\.)localhost\.?$/i.test(host)) return ['127.0.0.1', '::1'].map(addressOf);
    // One resolver for each lookup, because `cancel` ends all lookups of a resolver.
    const resolver = new Resolver({ timeout: queryMs, tries });
    if (servers) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), deadlineMs);
    try {
      for (const name of [host, ...searchedNames(await linesOf(resolverFile), host)]) {
        const found = await queryAll(resolver, name);
        if (found.length > 0) return found;
      }
    } finally {
      clearTimeout(timer);
    }
    throw lookupError('ENOTFOUND', 'There is no such host.');
  };
}

export const lookupError = (code: string, message: string): NodeJS.ErrnoException =>
  Object.assign(new Error(message), { code });

/** Returns an empty list if DNS knows no address for the name. */
async function queryAll(resolver: Resolver, name: string): Promise<Address[]> {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.map(addressOf) : []));
  const unknown = ['ENOTFOUND', 'ENODATA'];
  const isUnknown = answers.every((answer) => answer.status === 'fulfilled' || unknown.includes(answer.reason.code));
  if (found.length === 0 && !isUnknown) throw lookupError('EAI_AGAIN', 'The host could not be looked up.');
  return found;
}

const addressOf = (address: string): Address => ({ address, family: isIP(address) });

function addressesIn(lines: readonly string[][], host: string): Address[] {
  const wanted = host.toLowerCase().replace(/\.$/, '');
  return lines
    .filter(([address = '', ...names]) => isIP(address) && names.some((name) => name.toLowerCase() === wanted))
    .map(([address = '']) => addressOf(address));
}

/** Returns the host in each search domain. Kubernetes needs this: `hooks.team` means `hooks.team.svc.cluster.local`. */
function searchedNames(lines: readonly string[][], host: string): string[] {
  if (host.endsWith('.')) return [];
  const [, ...domains] = lines.findLast(([word]) => word === 'search' || word === 'domain') ?? [];
  return domains.filter((domain) => domain !== '.').map((domain) => `${host}.${domain}`);
}

/** Returns the words of each line, without comments. A missing file has no words. */
async function linesOf(path: string): Promise<string[][]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').map((line) =>
    line
      .replace(/[#;].*$/, '')
      .split(/\s+/)
      .filter(Boolean),
  );
}
