/** Creates or edits a webhook, with the event types that it receives. */
import { type CreatedWebhook, defined, type EventType, type Webhook } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { Fault, SecretDialog } from '../parts/dialog.tsx';
import { type EditProps, Field, FormDialog, Tick, useForm } from '../parts/form.tsx';
import { toast } from '../parts/toasts.tsx';
import { service } from '../service.ts';
import { eventTypes } from '../threads/describe-event.ts';

export function WebhookForm({ before, onClose, onSaved }: EditProps<Webhook>) {
  const [events, setEvents] = useState<readonly EventType[] | undefined>(before?.events);
  const [isOrdered, setOrdered] = useState(before?.order === 'thread');
  const [created, setCreated] = useState<CreatedWebhook>();
  const { url = '', description = '', threadId = '', headerNames = [] } = before ?? {};
  const initial = { url, description, threadId, headers: '' };
  const send = async (texts: typeof initial) => {
    const shared = {
      url: texts.url,
      order: isOrdered ? ('thread' as const) : ('none' as const),
      ...defined({ headers: texts.headers ? readHeaders(texts.headers) : undefined }),
    };
    const optional = {
      description: texts.description || null,
      threadId: texts.threadId || null,
      events: events ? [...events] : null,
    };
    if (before) {
      await service.updateWebhook({ webhookId: before.id, ...shared, ...optional });
      toast('Webhook saved.');
      onClose();
    } else {
      const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null));
      setCreated(await service.createWebhook({ ...shared, ...given }));
    }
    onSaved();
  };
  const form = useForm(initial, send, ['events']);
  if (created)
    return (
      <SecretDialog title="Webhook created" what="the secret" secret={created.secret} onClose={onClose}>
        Deliveries to <b>{created.url}</b> are signed with this secret (Standard Webhooks). Verify the signature before
        you use an event.
      </SecretDialog>
    );
  const [title, verb] = before ? ['Edit webhook', 'Save webhook'] : ['Create webhook', 'Create webhook'];
  return (
    <FormDialog {...{ title, verb, form, onClose }} class="large">
      <Field
        label="URL"
        hint="The server posts events to this URL."
        {...form.field('url')}
        isCode
        type="url"
        autocomplete="off"
        placeholder="https://example.com/holdpoint"
      />
      <Field label="Description (optional)" {...form.field('description')} autocomplete="off" />
      <EventPicker picked={events} onChange={setEvents} fault={form.faults.of.events} />
      <details class="further">
        <summary>More settings</summary>
        <div class="form">
          <Field label="Thread (optional)" {...form.field('threadId')} isCode autocomplete="off" />
          <Field
            label="Headers (optional)"
            hint={
              headerNames.length > 0
                ? `Current headers: ${headerNames.join(', ')}. New headers replace all of them.`
                : 'One per line, such as Authorization: Bearer … Values are not shown again.'
            }
            {...form.field('headers')}
            isLong
            isCode
            spellcheck={false}
          />
          <Tick
            text="Keep the order within a thread: an event waits until the one before it is accepted"
            isOn={isOrdered}
            onChange={setOrdered}
          />
        </div>
      </details>
    </FormDialog>
  );
}

/** Reads lines such as `Authorization: Bearer …` as headers. */
function readHeaders(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim());
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', value = ''] = line.split(/:(.*)/s);
      return [name.trim(), value.trim()];
    }),
  );
}

const groupOf = (type: EventType): string => {
  if (/^(thread|message|file)\./.test(type)) return 'Threads';
  return type.startsWith('interaction.') ? 'Requests' : type.startsWith('run.') ? 'Runs' : 'Other';
};

const eventGroups = ['Requests', 'Threads', 'Runs', 'Other'].map(
  (title) => [title, eventTypes.filter((type) => groupOf(type) === title)] as const,
);

interface EventPickerProps {
  /** Undefined: all events. */
  picked: readonly EventType[] | undefined;
  onChange(picked: readonly EventType[] | undefined): void;
  fault: string | undefined;
}

const usual: readonly EventType[] = ['interaction.created', 'interaction.answered'];

function EventPicker({ picked, onChange, fault }: EventPickerProps) {
  const toggle = (type: EventType) =>
    onChange(picked?.includes(type) ? picked.filter((each) => each !== type) : [...(picked ?? []), type]);
  return (
    <fieldset class="choices">
      <legend class="legend">Events</legend>
      <label class="choice">
        <input type="radio" name="which" checked={picked === undefined} onChange={() => onChange(undefined)} />
        <span>All events, including those of later versions</span>
      </label>
      <label class="choice">
        <input type="radio" name="which" checked={picked !== undefined} onChange={() => onChange(usual)} />
        <span>Selected events</span>
      </label>
      {picked && (
        <div class="event-groups">
          {eventGroups.map(([title, types]) => (
            <fieldset key={title}>
              <legend class="hint">{title}</legend>
              {types.map((type) => (
                <Tick key={type} class="mono" text={type} isOn={picked.includes(type)} onChange={() => toggle(type)} />
              ))}
            </fieldset>
          ))}
        </div>
      )}
      <Fault text={fault} />
    </fieldset>
  );
}
