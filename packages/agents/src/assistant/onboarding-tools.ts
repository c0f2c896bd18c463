/** An example of interaction tools: those of an onboarding in which a person finds the style of their videos. */
import {
  approval,
  type Block,
  choice,
  confirm,
  defined,
  form,
  imageUpload,
  type Option,
  text,
  textarea,
} from '@holdpoint/protocol';
import type { JSONSchema7 } from 'ai';
import { type InteractionTool, interactionTool } from './interaction-tool.ts';

interface Style {
  id: string;
  name: string;
  description?: string;
  previewUrl?: string;
}

type Properties = Record<string, JSONSchema7>;

const string: JSONSchema7 = { type: 'string' };
const object = (properties: Properties, required: string[] = []): JSONSchema7 => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const styles = (properties: Properties) => {
  const items = object({ id: string, name: string, ...properties }, ['id', 'name']);
  return object({ question: string, styles: { type: 'array', minItems: 1, items } }, ['styles']);
};

const toOption = ({ id, name, description }: Style): Option => ({
  value: id,
  label: name,
  ...defined({ description }),
});

const preview = ({ name, previewUrl }: Style): Block[] =>
  previewUrl === undefined ? [] : [{ type: 'image', payload: { url: previewUrl, alt: name } }];

const presentStyleOptions = interactionTool<{ question?: string; styles: Style[] }>({
  description: 'Presents a list of visual styles for the user to choose from',
  waiting: 'Presenting style options for user selection',
  parameters: styles({ description: string }),
  options: ({ styles }) => styles,
  ask: ({ question = 'Which style would you like?', styles }) => choice(styles.map(toOption), { title: question }),
});

const presentStyles = interactionTool<{ question?: string; styles: Style[] }>({
  description: 'Shows available styles with previews for the user to select',
  waiting: 'Showing styles with previews for user selection',
  parameters: styles({ description: string, previewUrl: string }),
  options: ({ styles }) => styles,
  ask: ({ question = 'Which of these would you like?', styles }) =>
    choice(styles.map(toOption), { title: question, content: styles.flatMap(preview) }),
});

const askBrandDetails = interactionTool<{ question?: string }>({
  description: 'Asks the user for brand information (colors, logos, guidelines)',
  waiting: 'Asking the user for brand information',
  parameters: object({ question: string }),
  ask: ({ question = 'Tell us about your brand' }) =>
    form(
      {
        colors: text({ label: 'Brand colors', placeholder: '#0a2540, warm white' }),
        logo: imageUpload({ label: 'Logo', required: false }),
        guidelines: textarea({ label: 'Guidelines', required: false }),
      },
      { title: question },
    ),
});

const platforms = ['Instagram', 'TikTok', 'YouTube'];

const askSocialHandles = interactionTool<{ question?: string; platforms?: string[] }>({
  description: 'Asks for social media handles to include in generated content',
  waiting: 'Asking the user for social media handles',
  parameters: object({ question: string, platforms: { type: 'array', items: string, minItems: 1, maxItems: 20 } }),
  ask: ({ question = 'Where can people find you?', platforms: named = platforms }) =>
    form(
      Object.fromEntries(
        named.map((label) => [label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_'), text({ label, required: false })]),
      ),
      { title: question },
    ),
});

const completeOnboarding = interactionTool<{ summary: string }>({
  description: 'Finalizes the onboarding flow after collecting user preferences',
  waiting: 'Asking the user to confirm the onboarding',
  parameters: object({ summary: string }, ['summary']),
  ask: ({ summary }) =>
    form({ confirmed: confirm({ label: 'Is this right?' }) }, { title: 'Finish the onboarding', body: summary }),
});

const dailySuggestion = interactionTool<{ suggestion: string }>({
  description: 'Offers a daily content suggestion for the user to accept or modify',
  waiting: 'Offering a suggestion for the user to accept or modify',
  parameters: object({ suggestion: string }, ['suggestion']),
  ask: ({ suggestion }) =>
    approval({
      title: 'A suggestion for today',
      arguments: { suggestion },
      fields: { suggestion: textarea({ label: 'Suggestion' }) },
      options: [
        { value: 'accept', label: 'Accept', kind: 'allow_once', variant: 'primary' },
        { value: 'skip', label: 'Not today', kind: 'reject_once' },
      ],
    }),
});

export const onboardingTools: Readonly<Record<string, InteractionTool>> = {
  presentStyleOptions,
  askBrandDetails,
  askSocialHandles,
  presentStyles,
  completeOnboarding,
  dailySuggestion,
};
