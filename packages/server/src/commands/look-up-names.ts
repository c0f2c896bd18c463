/** The names of threads and questions, each looked up once. A terminal shows them in place of ids. */
import type { HoldpointService } from '@holdpoint/protocol';

/** Beyond this number all are looked up again. */
const remembered = 1_000;

export type Names = ReturnType<typeof lookUpNames>;

export function lookUpNames(service: Pick<HoldpointService, 'getThread' | 'getInteraction'>) {
  const threads = kept(async (threadId) => (await service.getThread({ threadId })).title);
  const questions = kept(async (interactionId) => (await service.getInteraction({ interactionId })).title);
  return { threads, questions };
}

/** A name that cannot be read, such as that of a thread that the caller may not see, is the id. */
function kept(load: (id: string) => Promise<string | undefined>) {
  const known = new Map<string, Promise<string>>();
  const put = (id: string, name: Promise<string>) => {
    if (known.size >= remembered) known.clear();
    known.set(id, name);
    return name;
  };
  return {
    /** Takes a name that an event has just said. */
    put: (id: string, name: string | undefined) => void put(id, Promise.resolve(name ?? id)),
    get: (id: string): Promise<string> =>
      known.get(id) ??
      put(
        id,
        load(id).then(
          (name) => name ?? id,
          () => id,
        ),
      ),
  };
}
