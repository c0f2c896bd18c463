/** A browser without a screen: keeps cookies for each host, follows redirects one by one, and fills in forms. */
export interface Visited {
  url: string;
  status: number;
  headers: Headers;
  text: string;
  /** Every address on the way, the last one included. */
  trail: string[];
}

interface Sent {
  form?: Record<string, string>;
  headers?: Record<string, string>;
}

interface Cookie {
  name: string;
  value: string;
  path: string;
}

export class HttpBrowser {
  /** By host, because cookies ignore ports. */
  readonly cookies = new Map<string, Cookie[]>();
  /** Every Set-Cookie header that it received. */
  readonly received: string[] = [];

  /** Makes one request, and follows no redirect. */
  async send(url: string, { form, headers = {} }: Sent = {}): Promise<Visited> {
    const response = await fetch(url, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: {
        ...headers,
        cookie: this.cookieHeader(url),
        ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      },
      ...(form ? { body: new URLSearchParams(form).toString() } : {}),
    });
    this.#keep(url, response.headers.getSetCookie());
    return { url, status: response.status, headers: response.headers, text: await response.text(), trail: [url] };
  }

  /** Follows redirects until a page, or until an address that `until` accepts, which it does not open. */
  async open(url: string, { until, ...sent }: Sent & { until?: (url: string) => boolean } = {}): Promise<Visited> {
    const trail: string[] = [];
    let next = url;
    let visited = await this.send(next, sent);
    trail.push(next);
    for (let count = 0; count < 20; count++) {
      const location = visited.headers.get('location');
      if (location === null || visited.status < 300 || visited.status > 399) break;
      next = new URL(location, next).href;
      trail.push(next);
      if (until?.(next)) return { ...visited, url: next, trail };
      visited = await this.send(next);
    }
    return { ...visited, url: next, trail };
  }

  cookieHeader(url: string): string {
    const { hostname, pathname } = new URL(url);
    return (this.cookies.get(hostname) ?? [])
      .filter(({ path }) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  #keep(url: string, given: readonly string[]): void {
    const { hostname } = new URL(url);
    this.received.push(...given);
    for (const text of given) {
      const [pair = '', ...attributes] = text.split(';').map((part) => part.trim());
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      const read = (wanted: string) =>
        attributes.find((each) => each.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1);
      const path = read('path') ?? '/';
      const others = (this.cookies.get(hostname) ?? []).filter((one) => one.name !== name || one.path !== path);
      const expires = read('expires');
      const isGone = read('max-age') === '0' || (expires !== undefined && Date.parse(expires) < Date.now());
      this.cookies.set(hostname, isGone ? others : [...others, { name, value, path }]);
    }
  }
}
