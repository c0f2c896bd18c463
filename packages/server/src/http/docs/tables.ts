/** The tables of the reference: field types, events, errors. */
import { errorTable, eventTypes } from '@holdpoint/protocol';
import { errorAdvice } from './error-advice.ts';
import { type Html, html, join, type Part, prose } from './html.ts';
import { propertiesView, propertyView, type Schema, shapeId } from './schema-view.ts';
import { eventNotes, fieldNotes } from './vocabulary-notes.ts';

export function errorTableView(): Html {
  const rows = Object.entries(errorTable).map(([code, { status, title, retryable }]) => {
    const { means, todo } = errorAdvice[code as keyof typeof errorTable];
    return html`<tr id="error-${code}"><td><a href="#error-${code}"><code>${code}</code></a><span class="status">${status}</span>${
      retryable && html`<span class="must">retryable</span>`
    }</td><td><b>${title}.</b> ${prose(means)}</td><td>${prose(todo)}</td></tr>`;
  });
  return html`<table class="stack errors"><thead><tr><th scope="col">Code</th><th scope="col">Meaning</th><th scope="col">What to do</th></tr></thead><tbody>${rows}</tbody></table>`;
}

export function eventTableView(): Html {
  const rows = eventTypes.map(
    (type) =>
      html`<tr><td><code>${type}</code></td><td>${eventNotes[type].means}</td><td>${join(
        eventNotes[type].data.split(', ').map((name) => html`<code>${name}</code>`),
        ' ',
      )}</td></tr>`,
  );
  return html`<table class="stack"><thead><tr><th scope="col">Type</th><th scope="col">Meaning</th><th scope="col">data</th></tr></thead><tbody>${rows}</tbody></table>`;
}

/** The field union: first the properties that all inputs share, then those of each type, grouped by equal properties. */
export function fieldView({ anyOf = [] }: Schema): Part {
  const types = anyOf.map((schema) => ({ type: String(schema.properties?.type?.const), schema }));
  const inputs = types.filter(({ schema }) => schema.properties?.name !== undefined);
  const isShared = (name: string, property: Schema) =>
    name !== 'type' && inputs.every(({ schema }) => same(schema.properties?.[name], property));
  const shared = Object.entries(inputs[0]?.schema.properties ?? {}).filter(([name, property]) =>
    isShared(name, property),
  );
  const groups = Map.groupBy(types, ({ schema }) => JSON.stringify(own(schema)));
  return html`<table class="stack"><thead><tr><th scope="col">Type</th><th scope="col">Asks for</th><th scope="col">Answered with</th></tr></thead><tbody>${types.map(
    ({ type }) => fieldRow(type),
  )}</tbody></table>
<h3>Every field that takes an answer</h3>
<ul class="props">${shared.map(([name, property]) => propertyView(name, property, name === 'name'))}</ul>
${[...groups.values()].map((group) => groupView(group))}`;

  function own(schema: Schema): Schema {
    const entries = Object.entries(schema.properties ?? {});
    return {
      properties: Object.fromEntries(
        entries.filter(([name, property]) => name !== 'type' && !isShared(name, property)),
      ),
      required: (schema.required ?? []).filter((name) => name !== 'type' && name !== 'name'),
    };
  }

  function groupView(group: readonly { type: string; schema: Schema }[]): Part {
    const list = group[0] && propertiesView(own(group[0].schema));
    if (!list) return undefined;
    return html`<h4 class="types">${join(
      group.map(({ type }) => html`<code>${type}</code>`),
      ' ',
    )}</h4>${list}`;
  }
}

function fieldRow(type: string): Part {
  const note = fieldNotes[type as keyof typeof fieldNotes];
  return html`<tr id="field-${type}"><td><code>${type}</code></td><td>${prose(note.asks)}</td><td>${linked(note.value)}</td></tr>`;
}

const linked = (value: string): Part =>
  join(value.split('FileRef').map(prose), html`<a href="#${shapeId('FileRef')}">FileRef</a>`);

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
