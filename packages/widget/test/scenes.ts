/** The scenes with which tests begin: a question, a thread or an inbox in a page. */
import type { CreateInteraction, Interaction, Message } from '@holdpoint/protocol';
import type { Locator, Page } from 'playwright-core';
import type { PageOptions, Stage } from './stage.ts';

interface Scenes {
  /** One question, shown alone. */
  request(question: object, options?: PageOptions): Promise<{ page: Page; id: string; body: string }>;
  /** An empty thread, and a function that opens it, each time as another device of the same person. */
  thread(element?: 'holdpoint-chat' | 'holdpoint-requests'): Promise<ThreadScene>;
  /** The inbox of a person that no other test uses. */
  inbox(questions: readonly object[], options?: PageOptions): Promise<{ page: Page; asked: Interaction[] }>;
  stored(id: string): Promise<Interaction>;
}

interface ThreadScene {
  thread: string;
  ask(question: object): Promise<Interaction>;
  say(message: object): Promise<Message>;
  open(options?: PageOptions): Promise<Page>;
}

let people = 0;

export const scenesOn = (stage: Stage): Scenes => ({
  async request(question, options) {
    const { id } = await stage.ask(await stage.newThread(), question as CreateInteraction);
    const token = await stage.tokenFor({ interactionId: id });
    const body = `<holdpoint-request interaction="${id}" token="${token}"></holdpoint-request>`;
    const page = await stage.open(body, options);
    return { page, id, body };
  },
  async thread(element = 'holdpoint-chat') {
    const thread = await stage.newThread();
    const token = await stage.tokenFor({ threadId: thread });
    return {
      thread,
      ask: (question) => stage.ask(thread, question as CreateInteraction),
      say: (message) => stage.call(`/v1/threads/${thread}/messages`, message),
      open: (options) => stage.open(`<${element} thread="${thread}" token="${token}"></${element}>`, options),
    };
  },
  async inbox(questions, options) {
    const responderId = `person of a scene ${people++}`;
    const responder = { type: 'human', assignees: [responderId] };
    const asked: Interaction[] = [];
    for (const question of questions)
      asked.push(await stage.ask(await stage.newThread(), { responder, ...question } as CreateInteraction));
    const { token } = await stage.call<{ token: string }>('/v1/responder-tokens', { responderId, inbox: true });
    const page = await stage.open(`<holdpoint-inbox token="${token}"></holdpoint-inbox>`, options);
    return { page, asked };
  },
  stored: (id) => stage.call(`/v1/interactions/${id}`),
});

export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
export const approval = (title: string) => ({ title, kind: 'approval', arguments: { service: 'api' } });
export const dueIn = (ms: number) => ({ at: new Date(Date.now() + ms).toISOString(), outcome: 'expire' });
