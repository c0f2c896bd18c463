/** The buttons of a webhook: test, edit, rotate its secret, disable, enable, delete. */
import type { CreatedWebhook, Webhook } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { wordsFor } from '../error-text.ts';
import { SecretOnce } from '../parts/code.tsx';
import { Confirm, Dialog } from '../parts/dialog.tsx';
import { Choices } from '../parts/form.tsx';
import { durationOf } from '../parts/inline.tsx';
import { toast } from '../parts/toasts.tsx';
import { service } from '../service.ts';
import { WebhookForm } from './webhook-form.tsx';

interface WebhookActionsProps {
  webhook: Webhook;
  onChanged(): void;
  onDeleted(): void;
}

type Doing = 'edit' | 'rotate' | 'delete' | 'enable' | 'disable';

export function WebhookActions({ webhook, onChanged, onDeleted }: WebhookActionsProps) {
  const [doing, setDoing] = useState<Doing>();
  const [rotated, setRotated] = useState<CreatedWebhook>();
  const [isTesting, setTesting] = useState(false);
  const close = () => setDoing(undefined);
  const webhookId = webhook.id;
  const test = async () => {
    if (isTesting) return;
    setTesting(true);
    await testWebhook(webhookId);
    setTesting(false);
  };
  const button = (title: string, does: Doing) => (
    <button type="button" class="button small" aria-label={`${title}: ${webhook.url}`} onClick={() => setDoing(does)}>
      {title}
    </button>
  );
  return (
    <>
      <div class="actions">
        <button
          type="button"
          class="button small"
          aria-label={`Test: ${webhook.url}`}
          aria-disabled={isTesting}
          onClick={test}
        >
          Test
        </button>
        {button('Edit', 'edit')}
        {button('Rotate secret', 'rotate')}
        {webhook.status === 'enabled' ? button('Disable', 'disable') : button('Enable', 'enable')}
        {button('Delete', 'delete')}
      </div>
      {doing === 'edit' && <WebhookForm before={webhook} onClose={close} onSaved={onChanged} />}
      {doing === 'enable' && <EnableWebhook webhook={webhook} onClose={close} onEnabled={onChanged} />}
      {doing === 'disable' && (
        <Confirm
          title="Disable this webhook?"
          verb="Disable webhook"
          isDanger={false}
          onClose={close}
          onConfirm={async () => {
            await service.updateWebhook({ webhookId, status: 'disabled' });
            toast('Webhook disabled.');
            onChanged();
          }}
        >
          <p>
            The server sends nothing to {webhook.url} until you enable the webhook. It can continue where it stopped.
          </p>
        </Confirm>
      )}
      {doing === 'rotate' && (
        <Confirm
          title="Rotate the secret?"
          verb="Rotate secret"
          isDanger={false}
          onClose={close}
          onConfirm={async () => setRotated(await service.rotateWebhookSecret({ webhookId }))}
        >
          <p>For one day, deliveries are signed with both secrets, so that you have time to switch.</p>
        </Confirm>
      )}
      {rotated && (
        <Dialog title="Secret rotated" onClose={() => setRotated(undefined)}>
          <SecretOnce secret={rotated.secret ?? ''} what="the secret" onDone={() => setRotated(undefined)}>
            <p>
              Deliveries to <b>{rotated.url}</b> are now signed with this secret too.
            </p>
          </SecretOnce>
        </Dialog>
      )}
      {doing === 'delete' && (
        <Confirm
          title="Delete this webhook?"
          verb="Delete webhook"
          onClose={close}
          onConfirm={async () => {
            await service.deleteWebhook({ webhookId });
            toast('Webhook deleted.');
            onDeleted();
          }}
        >
          <p>
            The server stops sending to <b>{webhook.url}</b> and deletes the list of its deliveries. You cannot undo
            this.
          </p>
        </Confirm>
      )}
    </>
  );
}

const ways = [
  { value: 'last', title: 'From where it stopped', does: 'Also sends the events that it missed.' },
  { value: 'now', title: 'From now on', does: 'Skips the events that it missed.' },
] as const;

/** Enables a webhook again: from the last delivered event, or from now on. */
function EnableWebhook({ webhook, onClose, onEnabled }: { webhook: Webhook; onClose(): void; onEnabled(): void }) {
  const [from, setFrom] = useState<'last' | 'now'>('last');
  return (
    <Confirm
      title="Enable this webhook?"
      verb="Enable webhook"
      isDanger={false}
      onClose={onClose}
      onConfirm={async () => {
        await service.updateWebhook({ webhookId: webhook.id, status: 'enabled', from });
        toast('Webhook enabled.');
        onEnabled();
      }}
    >
      <Choices legend="Send events" options={ways} value={from} onValue={setFrom} />
    </Confirm>
  );
}

/** Sends one test event, which is not stored, and shows the result. */
async function testWebhook(webhookId: string): Promise<void> {
  try {
    const { status, error, durationMs } = await service.testWebhook({ webhookId });
    const took = `after ${durationOf(durationMs)}`;
    if (error) toast(`The test failed ${took}: ${error}`, 'bad');
    else toast(`The test succeeded: status ${status} ${took}.`);
  } catch (error) {
    toast(wordsFor(error), 'bad');
  }
}
