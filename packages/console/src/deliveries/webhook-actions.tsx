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
          verb="Disable it"
          isDanger={false}
          onClose={close}
          onConfirm={async () => {
            await service.updateWebhook({ webhookId, status: 'disabled' });
            toast('The webhook is disabled.');
            onChanged();
          }}
        >
          <p>Nothing is sent to {webhook.url} until it is enabled again. It keeps its place in the log.</p>
        </Confirm>
      )}
      {doing === 'rotate' && (
        <Confirm
          title="Rotate the secret?"
          verb="Make another secret"
          isDanger={false}
          onClose={close}
          onConfirm={async () => setRotated(await service.rotateWebhookSecret({ webhookId }))}
        >
          <p>Attempts are signed with both for a day, so that you can change over in between.</p>
        </Confirm>
      )}
      {rotated && (
        <Dialog title="The secret is rotated" onClose={() => setRotated(undefined)}>
          <SecretOnce secret={rotated.secret ?? ''} what="the secret" onDone={() => setRotated(undefined)}>
            <p>
              From now on attempts at <b>{rotated.url}</b> are signed with this one too.
            </p>
          </SecretOnce>
        </Dialog>
      )}
      {doing === 'delete' && (
        <Confirm
          title="Delete this webhook?"
          verb="Delete it"
          onClose={close}
          onConfirm={async () => {
            await service.deleteWebhook({ webhookId });
            toast('The webhook is deleted.');
            onDeleted();
          }}
        >
          <p>
            Nothing more is sent to <b>{webhook.url}</b>, and what became of earlier deliveries is forgotten. This
            cannot be undone.
          </p>
        </Confirm>
      )}
    </>
  );
}

const ways = [
  { value: 'last', title: 'From where it stopped', does: 'Everything that happened meanwhile is sent too.' },
  { value: 'now', title: 'From now on', does: 'What happened meanwhile is not sent.' },
] as const;

/** Enables a webhook again: from the last delivered event, or from now on. */
function EnableWebhook({ webhook, onClose, onEnabled }: { webhook: Webhook; onClose(): void; onEnabled(): void }) {
  const [from, setFrom] = useState<'last' | 'now'>('last');
  return (
    <Confirm
      title="Enable this webhook?"
      verb="Enable it"
      isDanger={false}
      onClose={onClose}
      onConfirm={async () => {
        await service.updateWebhook({ webhookId: webhook.id, status: 'enabled', from });
        toast('The webhook is enabled.');
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
    else toast(`The test was taken: status ${status} ${took}.`);
  } catch (error) {
    toast(wordsFor(error), 'bad');
  }
}
