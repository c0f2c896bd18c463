/** One request next to the list: the form to answer it while it is pending, then its result. */
import type { Interaction } from '@holdpoint/protocol';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLoad } from '../load.ts';
import type { Names } from '../look-up.ts';
import { mayAnswer, useMe } from '../me.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/code.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { kindWords, Time, VisibleText } from '../parts/inline.tsx';
import { Shown } from '../parts/states.tsx';
import { Assignees } from '../parts/who.tsx';
import { WidgetElement } from '../parts/widget-element.tsx';
import { YouAnswer } from '../parts/you-answer.tsx';
import { href } from '../route.ts';
import { service } from '../service.ts';
import { AnswerView, Votes } from './answer-view.tsx';
import type { PendingItem } from './pending-items.ts';
import { QuestionCard } from './question-card.tsx';

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
  return (
    <article class="question-pane" aria-label="Request">
      <a class="question-back" href={back}>
        <Icon name="back" />
        Inbox
      </a>
      <Shown of={loaded}>
        {(interaction) => <RequestView {...{ interaction, names, next }} onClosed={loaded.reload} />}
      </Shown>
    </article>
  );
}

interface RequestViewProps extends Pick<RequestPaneProps, 'names' | 'next'> {
  interaction: Interaction;
  /** Called when the request closes. The list does not report this if the request closes before the list is loaded. */
  onClosed(): void;
}

function RequestView({ interaction, names, next, onClosed }: RequestViewProps) {
  const { id, title, kind, threadId, createdAt, status, votes, run } = interaction;
  const me = useMe();
  const thread = names.titleOf(threadId);
  const [isCancelling, setCancelling] = useState(false);
  // Until the user dismisses it, the element itself shows how the request ended and what the user entered.
  const [isBegun, setBegun] = useState(false);
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
        <Answering key={id} {...{ interaction, onClosed }} onBegun={setBegun} />
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
        <CopyButton
          text={`${location.origin}${location.pathname}${href('inbox', id)}`}
          what="the link"
          label="Copy link"
        />
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

interface AnsweringProps extends Pick<RequestViewProps, 'interaction' | 'onClosed'> {
  onBegun(isBegun: boolean): void;
}

/** The form to answer. A user who may not answer sees the question, and who may. */
function Answering({ interaction, onBegun, onClosed }: AnsweringProps) {
  const me = useMe();
  const { id, status } = interaction;
  // A form that the user began stays, also if the question was given to others meanwhile.
  const isMine = useRef(false);
  isMine.current ||= mayAnswer(interaction, me);
  if (!isMine.current)
    return (
      <>
        <p class="notice">
          <WhoMayAnswer interaction={interaction} />
        </p>
        <QuestionCard interaction={interaction} />
      </>
    );
  return (
    <>
      {status === 'pending' && <YouAnswer />}
      <WidgetElement name="holdpoint-request" of={{ interaction: id }} {...{ onBegun, onClosed }} />
    </>
  );
}

function WhoMayAnswer({ interaction }: { interaction: Interaction }) {
  const { answers } = useMe();
  const { type, assignees } = interaction.responder;
  if (type === 'agent' || type === 'system')
    return <>Only {type === 'agent' ? 'an agent' : 'a system'} can answer this request, over the API.</>;
  if (assignees?.length === 0)
    return <>Nobody is left to answer this request: everybody it named was deactivated. An admin can cancel it.</>;
  if (assignees)
    return (
      <>
        Only <Assignees assignees={assignees} /> may answer this request.
        {!answers && ' Your role reads requests and does not answer them.'}
      </>
    );
  return <>Your role reads requests and does not answer them. Any admin or member may answer this one.</>;
}
