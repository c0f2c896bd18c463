/** Defines the elements. */
import { ChatElement } from './elements/chat-element.tsx';
import { InboxElement } from './elements/inbox-element.tsx';
import { RequestElement } from './elements/request-element.tsx';
import { RequestsElement } from './elements/requests-element.tsx';
import { DraftedCard } from './request/lazy-requests.tsx';

// Starts to fetch the script that shows questions before anything else.
if (document.querySelector('holdpoint-requests, holdpoint-request')) void DraftedCard.fetch();

const elements = {
  'holdpoint-chat': ChatElement,
  'holdpoint-inbox': InboxElement,
  'holdpoint-request': RequestElement,
  'holdpoint-requests': RequestsElement,
};

// A page may load the script twice.
for (const [name, element] of Object.entries(elements))
  if (!customElements.get(name)) customElements.define(name, element);
