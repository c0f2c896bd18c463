/** Keys of agents and backends: made with a role, shown once, revoked. */

import type { ApiKey } from '@holdpoint/protocol';
import { defined } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { usePaged } from '../paged.ts';
import { Badge } from '../parts/badge.tsx';
import { Empty } from '../parts/empty.tsx';
import { More } from '../parts/more.tsx';
import { Shown } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { service } from '../service.ts';
import { CreateKey } from './create-key.tsx';
import { RevokeButton } from './revoke-button.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { Section } from './section.tsx';

export function ApiKeys() {
  const keys = usePaged(
    (cursor) => service.listApiKeys({ limit: 200, ...defined({ cursor: cursor || undefined }) }),
    [],
  );
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  const [showsRevoked, setShowsRevoked] = useState(false);
  const all = (keys.data ?? []).filter(({ role }) => role !== 'public');
  const revoked = all.filter(({ revokedAt }) => revokedAt);
  const shown = showsRevoked ? all : all.filter(({ revokedAt }) => !revokedAt);
  const create = (
    <button type="button" class="button primary" onClick={() => setCreating(true)}>
      Create a key
    </button>
  );
  return (
    <Section
      isTitleHidden
      title="API keys"
      lead="Agents ask with them, backends answer and manage. Only their hashes are stored."
      action={create}
    >
      <Shown of={keys}>
        {() =>
          shown.length === 0 ? (
            <Empty title="No keys but the one this server was started with" icon="key">
              <p>Give each agent and each backend a key of its own: then one can be revoked without the others.</p>
            </Empty>
          ) : (
            <table class="table stacks">
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Role</th>
                  <th scope="col">Created</th>
                  <th scope="col">
                    <span class="visually-hidden">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {shown.map((key) => (
                  <tr key={key.id}>
                    <td class="cell-main">{key.name}</td>
                    <td>
                      <Badge tone={key.role === 'admin' ? 'info' : 'plain'}>{key.role}</Badge>
                    </td>
                    <td>
                      <Time at={key.createdAt} />
                    </td>
                    <td class="end">
                      {key.revokedAt ? (
                        <Badge tone="bad">revoked</Badge>
                      ) : (
                        <RevokeButton name={key.name} onClick={() => setRevoking(key)} />
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Shown>
      {revoked.length > 0 && (
        <label class="tick card-foot">
          <input type="checkbox" checked={showsRevoked} onChange={() => setShowsRevoked(!showsRevoked)} />
          Show revoked ({revoked.length})
        </label>
      )}
      <More of={keys} />
      {isCreating && <CreateKey onClose={() => setCreating(false)} onCreated={keys.reload} />}
      {revoking && (
        <RevokeKey apiKey={revoking} onClose={() => setRevoking(undefined)} onRevoked={keys.reload}>
          <p>Whoever uses it is refused within a second. This cannot be undone.</p>
          <p>If you signed in with it, you are signed out.</p>
        </RevokeKey>
      )}
    </Section>
  );
}
