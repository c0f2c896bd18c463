/** Public keys: which pages may talk to which agent. Anybody may read them. */

import type { ApiKey } from '@holdpoint/protocol';
import { defined } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { usePaged } from '../paged.ts';
import { Badge } from '../parts/badge.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Empty } from '../parts/empty.tsx';
import { More } from '../parts/more.tsx';
import { Shown } from '../parts/states.tsx';
import { service } from '../service.ts';
import { EditPublicKey } from './edit-public-key.tsx';
import { RevokeButton } from './revoke-button.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { Section } from './section.tsx';

export function PublicKeys() {
  const keys = usePaged(
    (cursor) => service.listApiKeys({ limit: 200, ...defined({ cursor: cursor || undefined }) }),
    [],
  );
  const [editing, setEditing] = useState<ApiKey | 'new'>();
  const [revoking, setRevoking] = useState<ApiKey>();
  const shown = (keys.data ?? []).filter(({ role, revokedAt }) => role === 'public' && !revokedAt);
  return (
    <Section
      isTitleHidden
      title="Public keys"
      lead="They stand in a web page and open conversations with one agent, from the origins you name."
      action={
        <button type="button" class="button primary" onClick={() => setEditing('new')}>
          Create a public key
        </button>
      }
    >
      <Shown of={keys}>
        {() =>
          shown.length === 0 ? (
            <Empty title="No public keys" icon="key">
              <p>
                Create one for each site whose visitors talk to an agent. It names the agent and the origins of the
                site, and can do nothing else.
              </p>
            </Empty>
          ) : (
            <ul class="rows">
              {shown.map((key) => (
                <li key={key.id} class="row">
                  <div class="row-main">
                    <p class="cell-main">
                      {key.name} {key.public?.isEnabled === false && <Badge tone="warn">switched off</Badge>}
                    </p>
                    <p class="row-key">
                      <code>{key.publicKey}</code>
                      <CopyButton text={key.publicKey ?? ''} what={`the key ${key.name}`} />
                    </p>
                    <p class="cell-sub">
                      Agent {key.public?.agent} · {key.public?.allowedOrigins.join(', ')}
                    </p>
                  </div>
                  <div class="actions">
                    <button
                      type="button"
                      class="button small"
                      aria-label={`Edit ${key.name}`}
                      onClick={() => setEditing(key)}
                    >
                      Edit
                    </button>
                    <RevokeButton name={key.name} onClick={() => setRevoking(key)} />
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
      <More of={keys} />
      {editing && (
        <EditPublicKey
          {...defined({ before: editing === 'new' ? undefined : editing })}
          onClose={() => setEditing(undefined)}
          onSaved={keys.reload}
        />
      )}
      {revoking && (
        <RevokeKey apiKey={revoking} onClose={() => setRevoking(undefined)} onRevoked={keys.reload}>
          <p>No page opens a conversation with it any more. Those that are open stay open. This cannot be undone.</p>
        </RevokeKey>
      )}
    </Section>
  );
}
