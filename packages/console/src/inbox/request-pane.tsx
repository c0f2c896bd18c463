/** One request next to the list: the form to answer it while it is pending, then its result. */
import type { Interaction } from '@holdpoint/protocol';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLoad } from '../load.ts';
import type { Names } from '../look-up.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/code.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Select } from '../parts/form.tsx';
import { Icon } from '../parts/icon.tsx';
import { kindWords, Time, VisibleText } from '../parts/inline.tsx';
import { Shown } from '../parts/states.tsx';
import { WidgetElement } from '../parts/widget-element.tsx';
import { useUserName } from '../preferences.ts';
import { href } from '../route.ts';
import { service } from '../service.ts';
import { tokenFor } from '../session.ts';
import { AnswerView, Votes } from './answer-view.tsx';
import type { PendingItem } from './pending-items.ts';

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
            from <VisibleText text={names.agentOf(interaction)} /> <Time at={createdAt} /> in{' '}
            <a href={href('threads', threadId)}>
              <VisibleText text={names.titleOf(threadId)} />
            </a>
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
        {status === 'pending' && <Button text="Cancel request…" look="small" onClick={() => setCancelling(true)} />}
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

/** The form to answer. If the request names assignees, the user answers as one of them. */
function Answering({ interaction, onBegun, onClosed }: AnsweringProps) {
  const { id, responder, status } = interaction;
  const { assignees } = responder;
  const me = useUserName();
  const [chosen, choose] = useState<string>();
  const name = chosen ?? (assignees && !assignees.includes(me) ? (assignees[0] ?? me) : me);
  if (responder.type === 'agent' || responder.type === 'system')
    return (
      <p class="notice">
        Only {responder.type === 'agent' ? 'an agent' : 'a system'} can answer this request, over the API. You can watch
        it here or cancel it.
      </p>
    );
  return (
    <>
      {status !== 'pending' ? null : assignees ? (
        <p class="answer-as">
          <label for="answer-as">Answer as</label>
          <Select id="answer-as" value={name} options={assignees.map((each) => [each, each])} onValue={choose} />
          <span class="hint">Only these people may answer.</span>
        </p>
      ) : (
        <p class="hint">
          You answer as <b>{me}</b>.
        </p>
      )}
      <WidgetElement
        name="holdpoint-request"
        of={{ interaction: id, 'data-as': name }}
        getToken={() => tokenFor({ interactionId: id }, name)}
        {...{ onBegun, onClosed }}
      />
    </>
  );
}
