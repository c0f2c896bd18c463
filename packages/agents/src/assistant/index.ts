export { type AssistantOptions, assistant } from './assistant.ts';
export { type ModelAddress, modelAt } from './call-model.ts';
export * from './interaction-tool.ts';
export { onboardingTools } from './onboarding-tools.ts';
