/**
 * Looks names up, few at a time. The system does it on four threads that all of the process share: a name whose server does
 * not answer holds one for seconds, however often it is asked for.
 */
export interface Address {
  address: string;
  family: number;
}

export type Resolve = (host: string) => Promise<Address[]>;

const atATime = 3;

export function fewLookups(resolve: Resolve): Resolve {
  const underWay = new Map<string, Promise<Address[]>>();
  const waiting: (() => void)[] = [];
  let running = 0;

  async function lookUp(host: string): Promise<Address[]> {
    if (running >= atATime) await new Promise<void>((begin) => waiting.push(begin));
    else running++;
    try {
      return await resolve(host);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  }

  return (host) => {
    const asked = underWay.get(host);
    if (asked) return asked;
    const looking = lookUp(host).finally(() => underWay.delete(host));
    underWay.set(host, looking);
    return looking;
  };
}
