/** Creates or edits a webhook. */
import { type CreatedWebhook, defined, type EventType, type Webhook } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { SecretDialog } from '../parts/dialog.tsx';
import { Field, FormDialog, Tick, useSubmit } from '../parts/form.tsx';
import { toast } from '../parts/toasts.tsx';
import { service } from '../service.ts';
import { EventPicker } from './event-picker.tsx';

interface WebhookFormProps {
  before?: Webhook;
  onClose(): void;
  onSaved(): void;
}

const names = ['url', 'description', 'events', 'threadId', 'headers', 'concurrency', 'timeoutMs'];

export function WebhookForm({ before, onClose, onSaved }: WebhookFormProps) {
  const [url, setUrl] = useState(before?.url ?? '');
  const [description, setDescription] = useState(before?.description ?? '');
  const [events, setEvents] = useState<readonly EventType[] | undefined>(before?.events);
  const [threadId, setThreadId] = useState(before?.threadId ?? '');
  const [headers, setHeaders] = useState('');
  const [isOrdered, setOrdered] = useState(before?.order === 'thread');
  const [created, setCreated] = useState<CreatedWebhook>();
  const submit = useSubmit(names, async () => {
    const shared = {
      url: url.trim(),
      order: isOrdered ? ('thread' as const) : ('none' as const),
      ...defined({ headers: headers.trim() ? readHeaders(headers) : undefined }),
    };
    const optional = {
      description: description.trim() || null,
      threadId: threadId.trim() || null,
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
  });
  if (created)
    return (
      <SecretDialog title="Webhook created" what="the secret" secret={created.secret} onClose={onClose}>
        Deliveries to <b>{created.url}</b> are signed with this secret (Standard Webhooks). Verify the signature before
        you use an event.
      </SecretDialog>
    );
  const { of } = submit.faults;
  const [title, verb] = before ? ['Edit webhook', 'Save webhook'] : ['Create webhook', 'Create webhook'];
  return (
    <FormDialog {...{ title, verb, submit, onClose }} class="large">
      <Field
        label="URL"
        hint="The server posts events to this URL."
        fault={of.url}
        isCode
        type="url"
        autocomplete="off"
        placeholder="https://example.com/holdpoint"
        value={url}
        onValue={setUrl}
      />
      <Field
        label="Description (optional)"
        fault={of.description}
        autocomplete="off"
        value={description}
        onValue={setDescription}
      />
      <EventPicker picked={events} onChange={setEvents} fault={of.events} />
      <details class="further">
        <summary>More settings</summary>
        <div class="form">
          <Field
            label="Thread (optional)"
            fault={of.threadId}
            isCode
            autocomplete="off"
            value={threadId}
            onValue={setThreadId}
          />
          <Field
            label="Headers (optional)"
            hint={
              before && before.headerNames.length > 0
                ? `Current headers: ${before.headerNames.join(', ')}. New headers replace all of them.`
                : 'One per line, such as Authorization: Bearer … Values are not shown again.'
            }
            fault={of.headers}
            isLong
            isCode
            spellcheck={false}
            value={headers}
            onValue={setHeaders}
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
