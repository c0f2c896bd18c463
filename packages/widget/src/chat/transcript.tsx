/** The messages, oldest first. Stays at the newest message unless the person has scrolled up. */
import type { Message } from '@holdpoint/protocol';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Blocks } from '../blocks/blocks.tsx';
import type { Strings } from '../strings/strings.ts';

/** This near to the end counts as at the end. */
const nearPx = 80;

export interface TranscriptProps {
  messages: readonly Message[];
  isLoaded: boolean;
  strings: Strings;
  locale: string;
}

export function Transcript({ messages, isLoaded, strings, locale }: TranscriptProps) {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const height = useRef(0);
  const [isAway, setAway] = useState(false);
  const toEnd = () => box.current?.scrollTo({ top: box.current.scrollHeight });
  useLayoutEffect(() => {
    if (isAtEnd.current) toEnd();
  }, [messages]);
  // A new question takes room from the transcript, and pictures load late. The newest message must stay in view.
  useEffect(() => {
    const frame = box.current;
    if (!frame) return;
    const observer = new ResizeObserver(() => {
      height.current = frame.clientHeight;
      if (isAtEnd.current) toEnd();
    });
    observer.observe(frame);
    return () => observer.disconnect();
  }, []);
  const isStreaming = messages.some(({ state }) => state === 'streaming');
  return (
    <div class="transcript-frame">
      <div
        class="transcript"
        part="transcript"
        ref={box}
        role="log"
        aria-label={strings.conversation}
        aria-busy={!isLoaded || isStreaming}
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          // A change of the height also scrolls. The person did not do that, and the observer handles it.
          if (clientHeight !== height.current) return;
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < nearPx;
          setAway(!isAtEnd.current);
        }}
      >
        {messages.map((message) => (
          <MessageView key={message.id} {...{ message, strings, locale }} />
        ))}
      </div>
      {isAway && (
        <button type="button" class="button to-end" onClick={toEnd}>
          {strings.jumpToNewest}
        </button>
      )}
    </div>
  );
}

type MessageViewProps = Pick<TranscriptProps, 'strings' | 'locale'> & { message: Message };

function MessageView({ message, strings, locale }: MessageViewProps) {
  const { role, blocks, state, at } = message;
  const who = role === 'user' ? strings.you : role === 'agent' ? strings.agent : undefined;
  return (
    <article class={`message ${role}`} part={`message ${role}`} dir="auto">
      {who && <span class="visually-hidden">{who}: </span>}
      <Blocks blocks={blocks} />
      {state === 'streaming' && <span class="dots" aria-label={strings.writing} role="img" />}
      <p class="hint">
        {state === 'cancelled' && `${strings.brokenOff} · `}
        <time dateTime={at}>{sentAt(new Date(at), locale)}</time>
      </p>
    </article>
  );
}

/** The time, and before today the date too. */
function sentAt(at: Date, locale: string): string {
  const isToday = at.toDateString() === new Date().toDateString();
  return at.toLocaleString(locale, { timeStyle: 'short', ...(!isToday && { dateStyle: 'medium' }) });
}
