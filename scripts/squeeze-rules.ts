/** Removes the optional spaces from style rules. */
import type { Plugin } from 'rolldown';

/** Style rules inside the sources of the widget. */
export const squeezeRules: Plugin = {
  name: 'squeeze-rules',
  transform: {
    filter: { id: /widget\/src\/(style\/[\w-]+|loader)\.ts$/ },
    handler: (code) => code.replaceAll(/(?<=[=(]\s*)`\s*[:.@*][^`]*`/g, squeeze),
  },
};

export const squeeze = (rules: string): string =>
  rules
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(/: (?=[^{}]*[;}])/g, ':');
