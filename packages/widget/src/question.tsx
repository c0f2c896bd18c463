/** Shows a question without its form, for people who may read it and not answer it. */
import type { Interaction } from '@holdpoint/protocol';
import { isInputField } from '@holdpoint/protocol/answers';
import { OwnText } from './blocks/untrusted.tsx';
import { HoldpointElement } from './elements/holdpoint-element.tsx';
import { Arguments } from './request/arguments.tsx';
import { Prompt } from './request/prompt.tsx';
import { withArgumentRules } from './style/arguments.ts';

export class QuestionElement extends HoldpointElement {
  #interaction: Interaction | undefined;

  set interaction(interaction: Interaction | undefined) {
    this.#interaction = interaction;
    if (this.isConnected) this.update();
  }

  protected override view() {
    const { strings, locale } = this;
    const interaction = this.#interaction;
    if (!interaction) return null;
    const shown = new Set(Object.keys(interaction.arguments ?? {}));
    const fields = interaction.fields.filter(isInputField).filter(({ name }) => !shown.has(name));
    // The field of a choice or an approval has the title as its label.
    const pick = fields.find(({ label }) => label === interaction.title);
    const others = fields.filter((field) => field !== pick);
    return (
      <section class="card" part="card">
        <Prompt {...{ interaction, strings, locale }} headingLevel={2} />
        {/* Without fields, so that arguments that a person may edit are shown as they were proposed. */}
        <Arguments {...{ strings, locale }} interaction={{ ...interaction, fields: [] }} values={{}} />
        {pick && 'options' in pick && <OwnText tag="p" class="hint" text={optionsOf(pick)} />}
        {others.length > 0 && (
          <dl ref={withArgumentRules}>
            {others.map((field) => (
              <div key={field.name}>
                <OwnText tag="dt" text={field.label ?? field.name} />
                <dd>{'options' in field && <OwnText text={optionsOf(field)} />}</dd>
              </div>
            ))}
          </dl>
        )}
      </section>
    );
  }
}

const optionsOf = ({ options }: { options: readonly { label: string }[] }): string =>
  options.map(({ label }) => label).join(' / ');

if (!customElements.get('holdpoint-question')) customElements.define('holdpoint-question', QuestionElement);
