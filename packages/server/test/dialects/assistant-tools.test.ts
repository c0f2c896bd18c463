/** The interaction tools of the page: what the person is asked, what the client is shown of it, what the model is given. */
import { assistant, modelAt, onboardingTools } from '@holdpoint/agents/assistant';
import type { Interaction } from '@holdpoint/protocol';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../../../agents/test/model-server.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
  const answering = assistant({
    model: modelAt({ url: model.url, model: 'scripted', key: 'model-key' }),
    interactionTools: onboardingTools,
    maxRetries: 0,
  });
  server = await startTestServer({ internals: { agents: [answering] } });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});
afterEach(() => {
  model.requests.length = 0;
});

interface Flow {
  args: object;
  description: string;
  options: object[];
  /** What the question is natively. */
  asked: object;
  /** What the person does, and what the model is given for it. */
  answers: [object, object][];
}

const styles = [
  { id: 'style_1', name: 'Cinematic' },
  { id: 'style_2', name: 'Minimalist' },
];
const previewed = styles.map((style) => ({ ...style, previewUrl: `https://files.example/${style.id}.png` }));
const picture = ({ name, previewUrl }: (typeof previewed)[number]) => ({
  type: 'image',
  payload: { url: previewUrl, alt: name },
});

const flows: Record<string, Flow> = {
  presentStyleOptions: {
    args: { styles },
    description: 'Presenting style options for user selection',
    options: styles,
    asked: { kind: 'choice', fields: [{ type: 'select', options: [{ label: 'Cinematic' }, { label: 'Minimalist' }] }] },
    answers: [[{ message: "Let's go with Cinematic" }, { status: 'answered', selected: styles[0] }]],
  },
  askBrandDetails: {
    args: {},
    description: 'Asking the user for brand information',
    options: [],
    asked: {
      kind: 'form',
      fields: [
        { name: 'colors', type: 'text' },
        { name: 'logo', type: 'image_upload' },
        { name: 'guidelines', type: 'textarea' },
      ],
    },
    answers: [
      [
        { values: { colors: 'blue', guidelines: 'No cats.' } },
        { status: 'answered', values: { colors: 'blue', guidelines: 'No cats.' } },
      ],
    ],
  },
  askSocialHandles: {
    args: { platforms: ['Instagram', 'My Blog'] },
    description: 'Asking the user for social media handles',
    options: [],
    asked: {
      kind: 'form',
      fields: [
        { name: 'instagram', label: 'Instagram' },
        { name: 'my_blog', label: 'My Blog' },
      ],
    },
    answers: [[{ values: { instagram: '@acme' } }, { status: 'answered', values: { instagram: '@acme' } }]],
  },
  presentStyles: {
    args: { styles: previewed },
    description: 'Showing styles with previews for user selection',
    options: previewed,
    asked: { kind: 'choice', content: previewed.map(picture) },
    answers: [[{ message: 'Minimalist' }, { status: 'answered', selected: styles[1] }]],
  },
  completeOnboarding: {
    args: { summary: 'Blue, cinematic, on Instagram.' },
    description: 'Asking the user to confirm the onboarding',
    options: [],
    asked: { kind: 'form', body: 'Blue, cinematic, on Instagram.', fields: [{ name: 'confirmed', type: 'confirm' }] },
    answers: [[{ message: 'yes' }, { status: 'answered', values: { confirmed: true } }]],
  },
  dailySuggestion: {
    args: { suggestion: 'A tour of the shop' },
    // An approval is shown as it is asked: a person must see what they approve.
    description: 'A suggestion for today',
    options: [
      { id: 'accept', name: 'Accept' },
      { id: 'skip', name: 'Not today' },
    ],
    asked: { kind: 'approval', arguments: { suggestion: 'A tour of the shop' }, fields: [{}, { name: 'suggestion' }] },
    answers: [
      [{ values: { decision: 'accept' } }, { status: 'answered', values: { suggestion: 'A tour of the shop' } }],
      [
        { values: { decision: 'accept', suggestion: 'A tour of the garden' } },
        { status: 'answered', values: { suggestion: 'A tour of the garden' } },
      ],
    ],
  },
};

test.each(Object.entries(flows))('[AS3][AS7] %s', async (toolName, { args, description, options, asked, answers }) => {
  for (const [answer, result] of answers) {
    const { id: chatId } = (await server.admin.post<{ id: string }>('/v1/threads')).body;
    const say = (body: object) => server.admin.post(`/api/v1/chats/${chatId}/messages`, body);
    model.script({ toolCalls: [{ id: 'tc_1', name: toolName, args }] }, { text: ['Noted.'] });
    expect((await say({ message: 'Hi' })).body).toEqual({
      status: 'interaction_required',
      assistantText: '',
      toolCalls: [{ toolName, toolCallId: 'tc_1', args }],
      interaction: { toolCallId: 'tc_1', toolName, description, options },
      error: null,
    });
    const { data } = (await server.admin.get<{ data: Interaction[] }>(`/v1/interactions?threadId=${chatId}`)).body;
    expect(data).toMatchObject([{ status: 'pending', ...asked }]);
    expect((await say(answer)).body).toMatchObject({ status: 'complete', assistantText: 'Noted.', interaction: null });
    const last = model.requests.at(-1)?.messages.findLast(({ role }) => role === 'tool');
    expect(JSON.parse(String(last?.content))).toMatchObject(result);
  }
});

test('[AS7] the model is offered the six tools of the page, each with what it is for', async () => {
  const { id: chatId } = (await server.admin.post<{ id: string }>('/v1/threads')).body;
  model.script({ text: ['Hello.'] });
  await server.admin.post(`/api/v1/chats/${chatId}/messages`, { message: 'Hi' });
  expect(model.requests[0]?.tools?.map(({ function: { name, description } }) => [name, description])).toEqual([
    ['presentStyleOptions', 'Presents a list of visual styles for the user to choose from'],
    ['askBrandDetails', 'Asks the user for brand information (colors, logos, guidelines)'],
    ['askSocialHandles', 'Asks for social media handles to include in generated content'],
    ['presentStyles', 'Shows available styles with previews for the user to select'],
    ['completeOnboarding', 'Finalizes the onboarding flow after collecting user preferences'],
    ['dailySuggestion', 'Offers a daily content suggestion for the user to accept or modify'],
  ]);
});

test('[AS3] a turn that goes on after the answer shows what it called', async () => {
  const { id: chatId } = (await server.admin.post<{ id: string }>('/v1/threads')).body;
  const say = (message: string) => server.admin.post(`/api/v1/chats/${chatId}/messages`, { message });
  const presenting = { id: 'tc_1', name: 'presentStyleOptions', args: { styles } };
  const applying = { id: 'tc_2', name: 'applyStyle', args: { style: 'style_1' } };
  model.script({ toolCalls: [presenting] }, { toolCalls: [applying] }, { text: ['Great choice!'] });
  await say('Hi');
  expect((await say("Let's go with Cinematic")).body).toEqual({
    status: 'complete',
    assistantText: 'Great choice!',
    toolCalls: [{ toolName: 'applyStyle', toolCallId: 'tc_2', args: { style: 'style_1' } }],
    interaction: null,
    error: null,
  });
});
