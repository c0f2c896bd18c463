/** The tables of the reference: field types, events, errors. */
import { type EventType, errorTable, eventTypes, type FieldType, fieldTypes } from '@holdpoint/protocol';
import { errorAdvice } from './error-advice.ts';
import { type Html, html, join, type Part, prose } from './html.ts';
import { propertiesView, propertyView, type Schema, shapeId } from './schema-view.ts';

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
  const { asks, answer } = fieldTypes[type as FieldType];
  return html`<tr id="field-${type}"><td><code>${type}</code></td><td>${prose(asks)}</td><td>${linked(answer)}</td></tr>`;
}

const linked = (value: string): Part =>
  join(value.split('FileRef').map(prose), html`<a href="#${shapeId('FileRef')}">FileRef</a>`);

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const eventNotes: Readonly<Record<EventType, { means: string; data: string }>> = {
  'thread.created': { means: 'A thread was created.', data: 'thread' },
  'thread.updated': { means: 'The title, agent, metadata or archiving changed.', data: 'thread, was' },
  'message.created': { means: 'A message was posted, or begins to stream.', data: 'message' },
  'message.completed': { means: 'A streamed message is complete.', data: 'message' },
  'message.cancelled': { means: 'A streamed message was cancelled.', data: 'message' },
  'file.attached': { means: 'A file was added to the thread or to a message.', data: 'file' },
  'interaction.created': { means: 'A question was asked.', data: 'interaction' },
  'interaction.updated': { means: 'A pending question was changed.', data: 'version, changed' },
  'interaction.voted': { means: 'One of several required votes.', data: 'version, vote' },
  'interaction.reminded': { means: 'The deadline is near.', data: 'version, deadline' },
  'interaction.escalated': { means: 'More assignees may answer.', data: 'version, added, assignees' },
  'interaction.claimed': { means: 'A responder claimed the question for a limited time.', data: 'version, claim' },
  'interaction.released': { means: 'A claim was ended early.', data: 'version' },
  'interaction.reassigned': {
    means: 'The assignees changed: an admin or a responder handed the question over, or a person was deactivated.',
    data: 'version, added, removed, assignees, reason, from',
  },
  'interaction.answered': { means: 'An accepted answer closed the question.', data: 'version, answer' },
  'interaction.declined': { means: 'A declined answer closed the question.', data: 'version, answer' },
  'interaction.cancelled': { means: 'The requester cancelled the question.', data: 'version, reason' },
  'interaction.expired': { means: 'The deadline passed without an answer.', data: 'version' },
  'interaction.secrets-taken': { means: 'The secret values were read.', data: 'secretFields' },
  'run.started': { means: 'A run of an agent begins.', data: 'run' },
  'run.resumed': { means: 'A waiting run continues, because an input arrived.', data: 'run' },
  'run.waiting': { means: 'A run waits for a person or a time.', data: 'run' },
  'run.woken': { means: 'A sleeping run reached its time, or a run was restarted.', data: 'run' },
  'run.completed': { means: 'A run is complete.', data: 'run' },
  'run.failed': { means: 'A run failed.', data: 'run' },
  'run.cancelled': { means: 'A run was cancelled.', data: 'run' },
  'grant.created': { means: 'A standing answer was created.', data: 'grant' },
  'webhook.disabled': { means: 'A webhook receives no more events.', data: 'webhook, reason' },
  'telemetry.recorded': { means: 'A person did something on a page.', data: 'name, props, id, at' },
  'grant.revoked': { means: 'A standing answer was revoked.', data: 'grant' },
};
