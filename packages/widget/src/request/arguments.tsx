/** What would be done if it is approved; those that may be edited are fields further down. */
import type { Interaction } from '@holdpoint/protocol';
import type { Strings } from '../strings/strings.ts';

export function Arguments({ interaction, strings }: { interaction: Interaction; strings: Strings }) {
  const editable = new Set(interaction.fields.flatMap((field) => ('name' in field ? [field.name] : [])));
  const entries = Object.entries(interaction.arguments ?? {}).filter(([name]) => !editable.has(name));
  if (entries.length === 0) return null;
  return (
    <section class="arguments" aria-label={strings.argumentsTitle}>
      <h3>{strings.argumentsTitle}</h3>
      <dl>
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === 'string' ? value : <pre>{JSON.stringify(value, null, 2)}</pre>}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
