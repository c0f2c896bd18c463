/** The published types of a request handler for web frameworks. */
export interface FetchOptions {
  /** IP address of the caller, by which visitors and wrong keys are counted. Without it, all callers count as one. */
  address?: string | undefined;
}

/** A function that needs no `this`, so that you can pass it to a framework. */
export type FetchHandler = (request: Request, options?: FetchOptions) => Promise<Response>;
