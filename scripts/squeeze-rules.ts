/** Style rules without the spaces that people read them by. */
import type { Plugin } from 'rolldown';

/** Those that are text in the sources of the widget. */
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
