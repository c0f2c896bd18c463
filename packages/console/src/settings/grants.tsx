/** Grants: standing answers that also apply to later requests. */
import type { Grant } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { usePaged } from '../load.ts';
import { useMe } from '../me.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Badge, Time } from '../parts/inline.tsx';
import { Section } from '../parts/page.tsx';
import { Empty, Listed } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { ActorName } from '../parts/who.tsx';
import { href } from '../route.ts';
import { service } from '../service.ts';

const scopeWords: Record<Grant['scope'], string> = { run: 'One run', thread: 'One thread', org: 'All threads' };

const heads = [
  'Key',
  'Covers',
  'Decision',
  'Scope',
  'By',
  'Created',
  'Expires',
  ['Actions', 'visually-hidden'],
] as const;

export function Grants() {
  const grants = usePaged((page) => service.listGrants({ limit: 100, ...page }), []);
  const [revoking, setRevoking] = useState<Grant>();
  return (
    <Section
      isTitleHidden
      title="Grants"
      lead="A grant answers later requests that match one somebody answered with “always”."
    >
      <Listed
        of={grants}
        empty={
          <Empty title="No grants" icon="done">
            Approvals can offer “always allow” and “always deny”. When somebody chooses one, the grant is listed here
            until it expires or you revoke it.
          </Empty>
        }
      >
        {(all) => (
          <Table class="stacks" heads={heads}>
            {all.map((grant) => (
              <GrantRow key={grant.id} grant={grant} onRevoke={() => setRevoking(grant)} />
            ))}
          </Table>
        )}
      </Listed>
      {revoking && (
        <Confirm
          title="Revoke this grant?"
          verb="Revoke grant"
          onConfirm={() => service.revokeGrant({ grantId: revoking.id })}
          done="Grant revoked."
          onDone={grants.reload}
          onClose={() => setRevoking(undefined)}
        >
          <p>
            Requests with the key <code>{revoking.key}</code> need an answer again.
          </p>
          <Covers grant={revoking} />
        </Confirm>
      )}
    </Section>
  );
}

function GrantRow({ grant, onRevoke }: { grant: Grant; onRevoke(): void }) {
  const { isAdmin } = useMe();
  const { key, decision, scope, threadId, by, createdAt, expiresAt, revokedAt } = grant;
  const isExpired = expiresAt !== undefined && Date.parse(expiresAt) < Date.now();
  return (
    <tr>
      <td class="cell-main mono">{key}</td>
      <td>
        <Covers grant={grant} />
      </td>
      <td>{decision === 'allow' ? <Badge tone="good">Allow</Badge> : <Badge tone="bad">Deny</Badge>}</td>
      <td>{scope === 'thread' ? <a href={href('threads', threadId)}>{scopeWords.thread}</a> : scopeWords[scope]}</td>
      <td>
        <ActorName actor={by} />
      </td>
      <td>
        <Time at={createdAt} />
      </td>
      <td class={expiresAt ? '' : 'wide-only'}>{expiresAt ? <Time at={expiresAt} /> : 'never'}</td>
      <td class="end">
        {revokedAt || isExpired ? (
          <Badge>{revokedAt ? 'Revoked' : 'Expired'}</Badge>
        ) : (
          isAdmin && <Button text="Revoke" name={`Revoke ${key}`} look="small" onClick={onRevoke} />
        )}
      </td>
    </tr>
  );
}

// The API calls the requester `asker`. cspell:ignore asker
/** Shows the request that the grant answers, with the values that must be the same and those that may differ. */
function Covers({ grant: { covers } }: { grant: Grant }) {
  if (!covers) return <>Nothing. This grant is from an earlier version. Answer “always” again to renew it.</>;
  const { title, asker: requester, arguments: fixed, variable } = covers;
  const values = [
    ...Object.entries(fixed).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
    ...variable.map((name) => `${name} = any value`),
  ];
  return (
    <>
      <span>“{title}”</span>
      {values.map((value) => (
        <div key={value} class="hint mono">
          {value.slice(0, 200)}
        </div>
      ))}
      <div class="hint">
        requested by <ActorName actor={requester} />
      </div>
    </>
  );
}
