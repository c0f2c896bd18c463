import { checkQuestion, type Interaction, type Message, type QuestionInput } from '@holdpoint/protocol';
import { asSchema } from 'ai';
import { describe, expect, test } from 'vitest';
import { type AskOutcome, describeOutcome, interactionTool } from './interaction-tool.ts';
import { onboardingTools } from './onboarding-tools.ts';

const styles = [
  { id: 's1', name: 'Cinematic', previewUrl: 'https://example.com/1.png' },
  { id: 's2', name: 'Bold & Vibrant' },
];
const examples = {
  presentStyleOptions: { styles: styles.map(({ id, name }) => ({ id, name })) },
  askBrandDetails: {},
  askSocialHandles: { platforms: ['Instagram', 'X / Twitter'] },
  presentStyles: { styles, question: 'Which?' },
  completeOnboarding: { summary: 'Cinematic, in blue.' },
  dailySuggestion: { suggestion: 'A tour of the shop' },
};
const tools = Object.entries(onboardingTools).map(([name, tool]) => ({
  name,
  tool,
  args: examples[name as keyof typeof examples] as unknown,
}));
const questionOf = (name: keyof typeof examples) => {
  const checked = checkQuestion(onboardingTools[name]?.ask(examples[name]) as QuestionInput);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return checked.question;
};

test('[AS7] the tools of the page are there, in its order', () => {
  expect(Object.keys(onboardingTools)).toEqual([
    ...[
      'presentStyleOptions',
      'askBrandDetails',
      'askSocialHandles',
      'presentStyles',
      'completeOnboarding',
      'dailySuggestion',
    ],
  ]);
});

test.each(tools)('[AS7] $name makes a question of its arguments', async ({ tool, args }) => {
  expect(checkQuestion(tool.ask(args) as QuestionInput)).toMatchObject({ ok: true });
  expect(await asSchema(tool.parameters).validate?.(args)).toMatchObject({ success: true });
  expect(
    await asSchema(tool.parameters).validate?.({ styles: 'all', platforms: 1, summary: 1, question: 1 }),
  ).toMatchObject({
    success: false,
  });
});

test('[AS7] each asks in its own way', () => {
  expect(questionOf('presentStyleOptions')).toMatchObject({ kind: 'choice', fields: [{ type: 'select' }] });
  expect(questionOf('presentStyles')).toMatchObject({
    title: 'Which?',
    content: [{ type: 'image', payload: { url: 'https://example.com/1.png', alt: 'Cinematic' } }],
  });
  expect(questionOf('askBrandDetails').fields.map(({ type }) => type)).toEqual(['text', 'image_upload', 'textarea']);
  expect(questionOf('askSocialHandles').fields).toMatchObject([
    { name: 'instagram' },
    { name: 'x_twitter', required: false },
  ]);
  expect(questionOf('completeOnboarding')).toMatchObject({
    body: 'Cinematic, in blue.',
    fields: [{ type: 'confirm' }],
  });
  expect(questionOf('dailySuggestion')).toMatchObject({
    kind: 'approval',
    fields: [{ name: 'decision' }, { name: 'suggestion', default: 'A tour of the shop' }],
  });
});

test('[AS7] options are as the call spelled them, and else those of the question', () => {
  expect(onboardingTools.presentStyles?.options({ styles })).toEqual(styles);
  expect(onboardingTools.dailySuggestion?.options(examples.dailySuggestion)).toEqual([
    { id: 'accept', name: 'Accept' },
    { id: 'skip', name: 'Not today' },
  ]);
  expect(onboardingTools.askBrandDetails?.options({})).toEqual([]);
  const plain = interactionTool({
    description: 'Asks',
    parameters: { type: 'object' },
    ask: () => ({ title: 'Which?', options: ['a', { value: 'b', label: 'B' }] }),
  });
  expect(plain.options({})).toEqual([
    { id: 'a', name: 'a' },
    { id: 'b', name: 'B' },
  ]);
  expect(plain.waiting).toBe('Asks');
});

describe('[AS5] the model gets', () => {
  const interaction = { ...questionOf('dailySuggestion'), id: 'i' } as unknown as Interaction;
  const message = { blocks: [{ type: 'message', payload: { text: 'Shorter' } }] } as unknown as Message;
  const values = { decision: 'accept', suggestion: 'A tour' };
  const answer = { metadata: { text: 'ok' } };

  test.each([
    [
      { status: 'answered', values, answer, interaction },
      {
        status: 'answered',
        selected: { id: 'accept', name: 'Accept' },
        values: { suggestion: 'A tour' },
        originalText: 'ok',
      },
    ],
    [
      { status: 'declined', reason: 'No', interaction },
      { status: 'declined', reason: 'No' },
    ],
    [{ status: 'declined', interaction }, { status: 'declined' }],
    [
      { status: 'declined', interaction: { ...interaction, answer: { metadata: { text: 'Not today' } } } },
      { status: 'declined', originalText: 'Not today' },
    ],
    [
      { status: 'expired', interaction },
      { status: 'expired', reason: 'Nobody answered in time.' },
    ],
    [
      { status: 'cancelled', reason: 'Moot', interaction },
      { status: 'cancelled', reason: 'Moot' },
    ],
    [
      { status: 'message', message, interaction },
      { status: 'not_answered', message: 'Shorter', reason: expect.any(String) },
    ],
  ])('%j', (outcome, described) => {
    expect(describeOutcome(outcome as unknown as AskOutcome)).toEqual(described);
  });

  test('and never a secret', () => {
    const asked = {
      kind: 'form',
      fields: [
        { type: 'password', name: 'pin' },
        { type: 'text', name: 'city' },
      ],
    };
    const outcome = { status: 'answered', values: { pin: '1', city: 'Rome' }, answer: {}, interaction: asked };
    expect(describeOutcome(outcome as unknown as AskOutcome)).toEqual({ status: 'answered', values: { city: 'Rome' } });
  });
});
