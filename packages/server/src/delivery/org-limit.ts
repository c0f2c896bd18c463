/** Runs at most a few tasks of each org at a time. The rest wait in order, so that slow tasks of one org delay no other org. */
export class OrgLimit {
  readonly #perOrg: number;
  readonly #orgs = new Map<string, { running: number; readonly waiting: (() => void)[] }>();

  constructor(perOrg: number) {
    this.#perOrg = perOrg;
  }

  /** Number of the org's tasks that have not begun. */
  waiting(orgId: string): number {
    return this.#orgs.get(orgId)?.waiting.length ?? 0;
  }

  async run<T>(orgId: string, task: () => Promise<T>): Promise<T> {
    const org = this.#orgs.get(orgId) ?? { running: 0, waiting: [] };
    this.#orgs.set(orgId, org);
    if (org.running >= this.#perOrg) await new Promise<void>((begin) => org.waiting.push(begin));
    else org.running++;
    try {
      return await task();
    } finally {
      // A task that ends hands its place to the next one.
      const begin = org.waiting.shift();
      if (begin) begin();
      else if (--org.running === 0) this.#orgs.delete(orgId);
    }
  }
}
