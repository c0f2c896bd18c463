/** A handler of requests as web frameworks take it. Apart from what makes one, because its types are published. */
export interface FetchOptions {
  /** IP address of the caller, by which visitors and wrong keys are counted. Without it, all callers are counted as one. */
  address?: string | undefined;
}

/** A function that needs no `this`, so that it can be handed to a framework by itself. */
export type FetchHandler = (request: Request, options?: FetchOptions) => Promise<Response>;
