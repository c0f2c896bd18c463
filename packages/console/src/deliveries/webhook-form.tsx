/** Creates or edits a webhook. */
import { type CreatedWebhook, defined, type EventType, type Webhook } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { SecretOnce } from '../parts/code.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, FormActions, useSubmit } from '../parts/form.tsx';
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
  const { faults, isBusy, form, submit } = useSubmit(names, async () => {
    const shared = {
      url: url.trim(),
      order: isOrdered ? ('thread' as const) : ('none' as const),
      ...defined({ headers: headers.trim() ? readHeaders(headers) : undefined }),
    };
    const optional = { description: description.trim(), threadId: threadId.trim() };
    if (before) {
      await service.updateWebhook({
        webhookId: before.id,
        ...shared,
        events: events ? [...events] : null,
        description: optional.description || null,
        threadId: optional.threadId || null,
      });
      toast('Webhook saved.');
      onClose();
    } else {
      const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value));
      setCreated(
        await service.createWebhook({ ...shared, ...given, ...defined({ events: events ? [...events] : undefined }) }),
      );
    }
    onSaved();
  });
  if (created)
    return (
      <Dialog title="Webhook created" onClose={onClose}>
        <SecretOnce secret={created.secret ?? ''} what="the secret" onDone={onClose}>
          <p>
            Deliveries to <b>{created.url}</b> are signed with this secret (Standard Webhooks). Verify the signature
            before you use an event.
          </p>
        </SecretOnce>
      </Dialog>
    );
  return (
    <Dialog title={before ? 'Edit webhook' : 'Create webhook'} onClose={onClose} class="large">
      <form ref={form} class="form" onSubmit={submit} noValidate>
        <Field
          label="URL"
          hint="The server posts events to this URL."
          fault={faults.of.url}
          isCode
          type="url"
          autocomplete="off"
          placeholder="https://example.com/holdpoint"
          value={url}
          onValue={setUrl}
        />
        <Field
          label="Description (optional)"
          fault={faults.of.description}
          autocomplete="off"
          value={description}
          onValue={setDescription}
        />
        <EventPicker picked={events} onChange={setEvents} fault={faults.of.events} />
        <details class="further">
          <summary>More settings</summary>
          <div class="form">
            <Field
              label="Thread (optional)"
              fault={faults.of.threadId}
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
              fault={faults.of.headers}
              isLong
              isCode
              spellcheck={false}
              value={headers}
              onValue={setHeaders}
            />
            <label class="tick">
              <input type="checkbox" checked={isOrdered} onChange={() => setOrdered(!isOrdered)} />
              Keep the order within a thread: an event waits until the one before it is accepted
            </label>
          </div>
        </details>
        <FormActions verb={before ? 'Save webhook' : 'Create webhook'} {...{ faults, isBusy }} onCancel={onClose} />
      </form>
    </Dialog>
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
