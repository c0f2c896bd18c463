/** Looks host names up with a share for each org, so that dead names of one org delay no other org. */
import { OrgLimit } from '../org-limit.ts';

export interface Address {
  address: string;
  family: number;
}

export type Resolve = (host: string) => Promise<Address[]>;
export type ResolveFor = (host: string, orgId: string) => Promise<Address[]>;

/** Each lookup holds a UDP socket for up to five seconds. */
const perOrg = 8;
/** A name that fails after a second or more has a DNS server that does not answer. */
const slowMs = 1_000;
/** Such a name is rejected to its org for this long without a lookup, so that it does not occupy a place at every retry. */
const deadMs = 30_000;
const mostDead = 10_000;

export function fairLookups(resolve: Resolve, now: () => number = () => performance.now()): ResolveFor {
  const limit = new OrgLimit(perOrg);
  /** Lookups of each org, waiting or running. */
  const ofOrgs = new Map<string, Promise<Address[]>>();
  /** Running lookups, shared by all orgs that need the same name. */
  const running = new Map<string, Promise<Address[]>>();
  /** By org and host: the DNS server of a name may answer one org slowly and the next at once. */
  const dead = new Map<string, { until: number; error: unknown }>();

  return (host, orgId) => {
    const key = `${orgId} ${host}`;
    const known = ofOrgs.get(key);
    if (known) return known;
    const looking = lookUp(host, orgId, key).finally(() => ofOrgs.delete(key));
    ofOrgs.set(key, looking);
    return looking;
  };

  async function lookUp(host: string, orgId: string, key: string): Promise<Address[]> {
    const found = dead.get(key);
    if (found && now() < found.until) throw found.error;
    dead.delete(key);
    return limit.run(orgId, async () => {
      const startedAt = now();
      try {
        const shared = running.get(host) ?? resolve(host).finally(() => running.delete(host));
        running.set(host, shared);
        return await shared;
      } catch (error) {
        if (now() - startedAt >= slowMs) noteDead(key, error);
        throw error;
      }
    });
  }

  function noteDead(key: string, error: unknown): void {
    const [oldest = ''] = dead.keys();
    if (dead.size >= mostDead) dead.delete(oldest);
    dead.set(key, { until: now() + deadMs, error });
  }
}
