/**
 * The elements as React components: attributes are props, events are handlers, and the ref is the element.
 *
 * <HoldpointChat server="https://holdpoint.example.com" thread={id} getToken={fetchToken} onPending={showCount} />
 *
 * On a server they render nothing: the elements need a page.
 */
import type { Actor, Interaction } from '@holdpoint/protocol';
import {
  createElement,
  type ForwardRefExoticComponent,
  forwardRef,
  type HTMLAttributes,
  type RefAttributes,
  useCallback,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import type { ChatElement } from './elements/chat-element.tsx';
import type { InboxElement } from './elements/inbox-element.tsx';
import type { RequestElement } from './elements/request-element.tsx';
import type { RequestsElement } from './elements/requests-element.tsx';

/** The props of every component, in addition to those of every HTML element. Children are for the slots. */
export interface HoldpointProps extends Omit<HTMLAttributes<HTMLElement>, 'dir'> {
  /** The address of the server. Default: the origin of the script. */
  server?: string | undefined;
  /** A responder token. */
  token?: string | undefined;
  /** Returns a fresh token when one has expired. Use it instead of `token`. */
  getToken?: (() => Promise<string>) | undefined;
  /** The language, such as `de`. Default: the language of the page. */
  locale?: string | undefined;
  /** The colour scheme. Default: the setting of the person's system. */
  theme?: 'light' | 'dark' | undefined;
  /** A question was answered or declined here. */
  onClosed?: ((event: CustomEvent<Interaction>) => void) | undefined;
  /** The person followed a link. */
  onLink?: ((event: CustomEvent<{ url: string }>) => void) | undefined;
}

/** The props of the components that show several questions. */
export interface HoldpointInboxProps extends HoldpointProps {
  /** A question arrived. */
  onAsked?: ((event: CustomEvent<Interaction>) => void) | undefined;
  /** The number of pending questions changed. */
  onPending?: ((event: CustomEvent<{ count: number }>) => void) | undefined;
}

export interface HoldpointRequestsProps extends HoldpointInboxProps {
  /** The id of the thread. */
  thread: string;
}

export type HoldpointChatProps = HoldpointRequestsProps;

export interface HoldpointRequestProps extends HoldpointProps {
  /** The id of the question. */
  interaction: string;
  /** `isBegun` is true when the person begins to answer, and false when they have no unsent input left. */
  onBegun?: ((event: CustomEvent<{ isBegun: boolean }>) => void) | undefined;
  /** The question is followed from now on. */
  onOpen?: ((event: Event) => void) | undefined;
  /** Somebody opened or left the question. */
  onViewing?: ((event: CustomEvent<{ interactionId: string; by: Actor; isViewing: boolean }>) => void) | undefined;
}

type Component<Props, Element> = ForwardRefExoticComponent<Props & RefAttributes<Element>>;

export const HoldpointChat: Component<HoldpointChatProps, ChatElement> = wrap('holdpoint-chat');
export const HoldpointInbox: Component<HoldpointInboxProps, InboxElement> = wrap('holdpoint-inbox');
export const HoldpointRequest: Component<HoldpointRequestProps, RequestElement> = wrap('holdpoint-request');
export const HoldpointRequests: Component<HoldpointRequestsProps, RequestsElement> = wrap('holdpoint-requests');

const eventTypes = ['asked', 'begun', 'closed', 'pending', 'link', 'open', 'viewing'] as const;

/** Written by hand: React 19 would set a property where there is one of that name, and React 18 an attribute. */
type AnyProps = Partial<HoldpointRequestsProps & HoldpointRequestProps>;
type AnyElement = HTMLElement & Pick<ChatElement, 'getToken'>;

function wrap<Props, Element extends AnyElement>(name: string): Component<Props, Element> {
  const Wrapper = forwardRef<Element, AnyProps>((props, ref) => {
    const { server, thread, interaction, token, locale, theme, getToken, ...others } = props;
    const { onAsked, onBegun, onClosed, onPending, onLink, onOpen, onViewing, className, ...rest } = others;
    const attributes = { server, thread, interaction, token, locale, theme, class: className };
    const handlers = {
      ...{ asked: onAsked, begun: onBegun, closed: onClosed, pending: onPending, link: onLink, open: onOpen },
      viewing: onViewing,
    };
    // Handlers change with every render. The element gets functions that call the latest ones.
    const latest = useRef({ attributes, handlers, getToken });
    latest.current = { attributes, handlers, getToken };
    const element = useRef<Element>(null);
    const listening = useRef<AbortController>(undefined);
    const attach = useCallback((attached: Element | null) => {
      listening.current?.abort();
      element.current = attached;
      if (!attached) return;
      listening.current = new AbortController();
      const { signal } = listening.current;
      // In the same task in which the element is added to the page, because it connects right after.
      write(attached, latest.current.attributes);
      attached.getToken = async () => latest.current.getToken?.() ?? latest.current.attributes.token ?? '';
      for (const type of eventTypes)
        attached.addEventListener(
          `holdpoint-${type}`,
          (event) => latest.current.handlers[type]?.(event as CustomEvent),
          { signal },
        );
    }, []);
    const isDefined = useElements();
    useImperativeHandle(ref, () => (isDefined ? element.current : null) as Element, [isDefined]);
    useEffect(() => {
      if (element.current) write(element.current, latest.current.attributes);
    });
    return isDefined ? createElement(name, { ...rest, ref: attach }) : null;
  });
  Wrapper.displayName = name;
  return Wrapper as unknown as Component<Props, Element>;
}

function write(element: HTMLElement, attributes: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) element.removeAttribute(name);
    else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  }
}

/** True once the elements are defined. They need a page, so they load after the first render. */
function useElements(): boolean {
  const [isDefined, define] = useState(false);
  useEffect(() => {
    void import('./index.ts').then(() => define(true));
  }, []);
  return isDefined;
}
