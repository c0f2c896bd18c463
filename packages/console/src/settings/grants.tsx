/** Grants: standing answers that also apply to later requests. */
import type { Grant } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { usePaged } from '../load.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Badge, Time } from '../parts/inline.tsx';
import { Empty, More, Shown } from '../parts/states.tsx';
import { toast } from '../parts/toasts.tsx';
import { href } from '../route.ts';
import { service } from '../service.ts';
import { RevokeButton, Section } from './section.tsx';

const scopeWords: Record<Grant['scope'], string> = { run: 'One run', thread: 'One thread', org: 'All threads' };

const isOver = ({ revokedAt, expiresAt }: Grant): boolean =>
  revokedAt !== undefined || (expiresAt !== undefined && Date.parse(expiresAt) < Date.now());

export function Grants() {
  const grants = usePaged((page) => service.listGrants({ limit: 100, ...page }), []);
  const [revoking, setRevoking] = useState<Grant>();
  return (
    <Section
      isTitleHidden
      title="Grants"
      lead="A grant answers later requests that match one somebody answered with “always”."
    >
      <Shown of={grants}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="No grants" icon="done">
              <p>
                Approvals can offer “always allow” and “always deny”. When somebody chooses one, the grant is listed
                here until it expires or you revoke it.
              </p>
            </Empty>
          ) : (
            <table class="table stacks">
              <thead>
                <tr>
                  <th scope="col">Key</th>
                  <th scope="col">Covers</th>
                  <th scope="col">Decision</th>
                  <th scope="col">Scope</th>
                  <th scope="col">By</th>
                  <th scope="col">Created</th>
                  <th scope="col">Expires</th>
                  <th scope="col">
                    <span class="visually-hidden">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {all.map((grant) => (
                  <tr key={grant.id}>
                    <td class="cell-main mono">{grant.key}</td>
                    <td>
                      <Covers grant={grant} />
                    </td>
                    <td>
                      <Badge tone={grant.decision === 'allow' ? 'good' : 'bad'}>
                        {grant.decision === 'allow' ? 'Allow' : 'Deny'}
                      </Badge>
                    </td>
                    <td>
                      {grant.scope === 'thread' ? (
                        <a href={href('threads', grant.threadId)}>One thread</a>
                      ) : (
                        scopeWords[grant.scope]
                      )}
                    </td>
                    <td>{grant.by.id}</td>
                    <td>
                      <Time at={grant.createdAt} />
                    </td>
                    <td class={grant.expiresAt ? '' : 'wide-only'}>
                      {grant.expiresAt ? <Time at={grant.expiresAt} /> : 'never'}
                    </td>
                    <td class="end">
                      {isOver(grant) ? (
                        <Badge>{grant.revokedAt ? 'Revoked' : 'Expired'}</Badge>
                      ) : (
                        <RevokeButton name={grant.key} onClick={() => setRevoking(grant)} />
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Shown>
      <More of={grants} />
      {revoking && (
        <Confirm
          title="Revoke this grant?"
          verb="Revoke grant"
          onClose={() => setRevoking(undefined)}
          onConfirm={async () => {
            await service.revokeGrant({ grantId: revoking.id });
            toast('Grant revoked.');
            grants.reload();
          }}
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

/** Shows the request that the grant answers, with the values that must be the same and those that may differ. */
function Covers({ grant: { covers } }: { grant: Grant }) {
  if (!covers) return <>Nothing. This grant is from an earlier version. Answer “always” again to renew it.</>;
  const { title, asker, arguments: fixed, variable } = covers;
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
      <div class="hint">requested by {asker.id}</div>
    </>
  );
}
