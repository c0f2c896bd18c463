/** The agent of `--assistant`: a model that can ask the person, with the tools of the example. */
import type { Agent } from '@holdpoint/agents';
import { assistant, modelAt, onboardingTools } from '@holdpoint/agents/assistant';
import type { ModelConfig } from './config.ts';

export const configuredAssistant = (config: ModelConfig): Agent =>
  assistant({ model: modelAt(config), interactionTools: onboardingTools });
