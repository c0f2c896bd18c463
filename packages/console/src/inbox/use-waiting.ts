/** What waits, and what things are called, as a page shows them. */
import type { Thread } from '@holdpoint/protocol';
import { useEffect, useRef, useState } from 'preact/hooks';
import { NameBook, type Names } from './names.ts';
import { followWaiting, type Waiting } from './waiting-list.ts';

const nothingYet: Waiting = { items: [], isLoading: true, hasMore: false, error: undefined, news: '' };

export function useWaiting(): { waiting: Waiting; names: Names; namesRead: number } {
  const [waiting, setWaiting] = useState(nothingYet);
  const [namesRead, setNamesRead] = useState(0);
  const names = useRef(new NameBook());
  useEffect(() => {
    const stop = new AbortController();
    const onPage = () => !stop.signal.aborted && setNamesRead((count) => count + 1);
    const onThread = (thread: Thread) => {
      names.current.put(thread);
      onPage();
    };
    followWaiting({ onChange: setWaiting, onThread }, stop.signal);
    // A name that cannot be read is shown as an id.
    void names.current.load(onPage, stop.signal).catch(() => {});
    return () => stop.abort();
  }, []);
  return { waiting, names: names.current, namesRead };
}
