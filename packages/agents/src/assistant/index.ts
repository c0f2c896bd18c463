export { type AssistantOptions, assistant } from './assistant.ts';
export { type ModelAddress, modelAt } from './call-model.ts';
export {
  type AskOutcome,
  describeOutcome,
  type InteractionTool,
  type InteractionToolOptions,
  interactionTool,
} from './interaction-tool.ts';
export { onboardingTools } from './onboarding-tools.ts';
