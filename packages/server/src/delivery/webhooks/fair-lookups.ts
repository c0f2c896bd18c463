/** Looks host names up with a share for each org, so that dead names of one org delay no other org. */
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

interface Org {
  /** Lookups of this org, waiting or running, by host. */
  readonly asked: Map<string, Promise<Address[]>>;
  readonly waiting: (() => void)[];
  running: number;
}

export function fairLookups(resolve: Resolve, now: () => number = () => performance.now()): ResolveFor {
  const orgs = new Map<string, Org>();
  const underWay = new Map<string, Promise<Address[]>>();
  /** By org and host: the DNS server of a name may answer one org slowly and the next at once. */
  const dead = new Map<string, { until: number; error: unknown }>();

  return (host, orgId) => {
    const org = orgs.get(orgId) ?? { asked: new Map(), waiting: [], running: 0 };
    orgs.set(orgId, org);
    const asked = org.asked.get(host);
    if (asked) return asked;
    const looking = inTurn(org, host, `${orgId} ${host}`).finally(() => {
      org.asked.delete(host);
      if (org.asked.size === 0) orgs.delete(orgId);
    });
    org.asked.set(host, looking);
    return looking;
  };

  async function inTurn(org: Org, host: string, deadKey: string): Promise<Address[]> {
    refuseDead(deadKey);
    if (org.running >= perOrg) await new Promise<void>((begin) => org.waiting.push(begin));
    else org.running++;
    const startedAt = now();
    try {
      // Shares the lookup if another org is asking for the same name.
      const shared = underWay.get(host) ?? resolve(host).finally(() => underWay.delete(host));
      underWay.set(host, shared);
      return await shared;
    } catch (error) {
      if (now() - startedAt >= slowMs) noteDead(deadKey, error);
      throw error;
    } finally {
      const next = org.waiting.shift();
      if (next) next();
      else org.running--;
    }
  }

  function refuseDead(key: string): void {
    const found = dead.get(key);
    if (!found) return;
    if (now() < found.until) throw found.error;
    dead.delete(key);
  }

  function noteDead(key: string, error: unknown): void {
    const [oldest = ''] = dead.keys();
    if (dead.size >= mostDead) dead.delete(oldest);
    dead.set(key, { until: now() + deadMs, error });
  }
}
