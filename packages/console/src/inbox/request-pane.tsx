/** One request next to the list: the form to answer it while it is pending, then its result. */
import type { Interaction } from '@holdpoint/protocol';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLoad } from '../load.ts';
import type { Names } from '../look-up.ts';
import { useMe } from '../me.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/code.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { kindWords, Time, VisibleText } from '../parts/inline.tsx';
import { Failed, Shown } from '../parts/states.tsx';
import { addressOf, href } from '../route.ts';
import { isGone, service } from '../service.ts';
import { AnswerView, Votes } from './answer-view.tsx';
import { Answering } from './answering.tsx';
import type { PendingItem } from './pending-items.ts';
import { SendToColleague } from './send-to-colleague.tsx';

interface RequestPaneProps {
  id: string;
  /** Set while the request is in the list. */
  item: PendingItem | undefined;
  names: Names;
  back: string;
  /** The address of the next request in the list. */
  next: string | undefined;
}

export function RequestPane({ id, item, names, back, next }: RequestPaneProps) {
  // Loads again when the list reports a change.
  const loaded = useLoad(() => service.getInteraction({ interactionId: id }), [id]);
  const version = item?.interaction.version;
  useEffect(() => {
    if (loaded.data && loaded.data.version !== version) loaded.reload();
  }, [version]);
  const isLost = isGone(loaded.error);
  // The form keeps the user's input, also if others get the request meanwhile.
  const [isBegun, setBegun] = useState(false);
  // Not part of the request, because a user who sends it may no longer see it.
  const [sending, setSending] = useState<Interaction>();
  return (
    <article class="question-pane" aria-label="Request">
      <a class="question-back" href={back}>
        <Icon name="back" />
        Inbox
      </a>
      {isLost && <Failed error={new Error('This request does not exist, or it is now for somebody else.')} />}
      {(!isLost || isBegun) && (
        <Shown of={isLost ? { ...loaded, error: undefined } : loaded}>
          {(interaction) => (
            <RequestView
              {...{ interaction, names, next, isBegun }}
              onBegun={setBegun}
              onChanged={loaded.reload}
              onSend={() => setSending(interaction)}
            />
          )}
        </Shown>
      )}
      {sending && (
        <SendToColleague interaction={sending} onSent={loaded.reload} onClose={() => setSending(undefined)} />
      )}
    </article>
  );
}

interface RequestViewProps extends Pick<RequestPaneProps, 'names' | 'next'> {
  interaction: Interaction;
  /** The user has entered something, or pressed a button. */
  isBegun: boolean;
  onBegun(isBegun: boolean): void;
  /** Called after a change. The list does not report it if it is not loaded yet. */
  onChanged(): void;
  onSend(): void;
}

function RequestView({ interaction, names, next, isBegun, onBegun, onChanged, onSend }: RequestViewProps) {
  const { id, title, kind, threadId, createdAt, status, votes, run } = interaction;
  const me = useMe();
  const thread = names.titleOf(threadId);
  const [isCancelling, setCancelling] = useState(false);
  // Until the user dismisses it, the element itself shows how the request ended and what the user entered.
  const isInPlace = status === 'pending' || isBegun;
  const heading = useRef<HTMLHeadingElement>(null);
  const wasPending = useRef(false);
  // The focused form is gone. Moves the focus to the heading, which names the result.
  useEffect(() => {
    const { activeElement, body } = document;
    if (!isInPlace && wasPending.current && (activeElement ?? body) === body) heading.current?.focus();
    wasPending.current = isInPlace;
  }, [isInPlace]);
  return (
    <>
      <header class="question-head">
        {/* The card of a pending request shows the title as its heading, so this one is only for screen readers. */}
        <h2 ref={heading} tabIndex={-1} class={isInPlace ? 'visually-hidden' : undefined}>
          <VisibleText text={title} />
        </h2>
        <p class="question-about">
          <span class={`kind kind-${kind}`}>{kindWords[kind]}</span>
          <span>
            from <VisibleText text={names.agentOf(interaction)} /> <Time at={createdAt} />
            {thread !== undefined && (
              <>
                {' '}
                in{' '}
                <a href={href('threads', threadId)}>
                  <VisibleText text={thread} />
                </a>
              </>
            )}
          </span>
          {run && (
            <span>
              run <span class="mono">{run.id}</span>
            </span>
          )}
        </p>
      </header>
      {isInPlace ? (
        <Answering key={id} {...{ interaction, isBegun, onBegun, onChanged, onSend }} onClosed={onChanged} />
      ) : (
        <>
          <AnswerView interaction={interaction} />
          {next && (
            <a class="button primary question-next" href={next}>
              Next request
            </a>
          )}
        </>
      )}
      {status === 'pending' && votes.length > 0 && (
        <section class="answer-view" aria-label="Votes so far">
          <Votes title="Votes so far" interaction={interaction} />
        </section>
      )}
      <footer class="question-foot">
        <CopyButton text={addressOf('inbox', id)} what="the link" label="Copy link" />
        {status === 'pending' && me.isAdmin && (
          <Button text="Cancel request…" look="small" onClick={() => setCancelling(true)} />
        )}
      </footer>
      {isCancelling && (
        <Confirm
          title="Cancel this request?"
          verb="Cancel request"
          dismiss="Keep request"
          onConfirm={() => service.cancelInteraction({ interactionId: id })}
          onClose={() => setCancelling(false)}
        >
          <p>
            “<VisibleText text={title} />” closes without an answer, and its agent learns that it was cancelled.
          </p>
        </Confirm>
      )}
    </>
  );
}
