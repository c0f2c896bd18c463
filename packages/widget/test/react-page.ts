/** A page in React that shows a thread. The tests bundle it. */
import { createElement, StrictMode, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { ChatElement } from '../src/elements/chat-element.tsx';
import { HoldpointChat, HoldpointInbox, HoldpointRequest, HoldpointRequests } from '../src/react.ts';

const query = Object.fromEntries(new URLSearchParams(location.search));
const { show = '', thread = '', interaction = '', token = '' } = query;

function App() {
  const [heard, hear] = useState<string[]>([]);
  const [locale, setLocale] = useState('en');
  const [fetches, setFetches] = useState(0);
  const chat = useRef<ChatElement>(null);
  const add = (word: string) => hear((before) => [...before, word]);
  const shared = { getToken: async () => token, locale };
  return createElement(
    'main',
    null,
    createElement('output', null, heard.join(' ')),
    createElement('p', { id: 'fetches' }, fetches > 0 ? 'asked for a token' : ''),
    createElement('button', { type: 'button', onClick: () => setLocale('de') }, 'Sprich Deutsch'),
    createElement(
      'button',
      { type: 'button', onClick: () => add(chat.current?.localName ?? 'nothing') },
      'Name the element',
    ),
    show === 'chat' &&
      createElement(HoldpointChat, {
        ...shared,
        thread,
        ref: chat,
        className: 'chat of the page',
        getToken: async () => {
          setFetches((count) => count + 1);
          return token;
        },
        onAsked: ({ detail }) => add(`asked:${detail.title}`),
        onPending: ({ detail }) => add(`pending:${detail.count}`),
        onClosed: ({ detail }) => add(`closed:${detail.status}`),
        onLink: ({ detail }) => add(`link:${detail.url}`),
      }),
    show === 'request' && createElement(HoldpointRequest, { interaction, token }),
    show === 'requests' &&
      createElement(HoldpointRequests, { thread, token }, createElement('p', { slot: 'empty' }, 'All done')),
    show === 'inbox' && createElement(HoldpointInbox, shared, createElement('p', { slot: 'empty' }, 'All done')),
  );
}

const root = document.createElement('div');
document.body.append(root);
createRoot(root).render(createElement(StrictMode, null, createElement(App)));
