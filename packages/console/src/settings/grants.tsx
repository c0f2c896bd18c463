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

const isOver = ({ revokedAt, expiresAt }: Grant): boolean =>
  revokedAt !== undefined || (expiresAt !== undefined && Date.parse(expiresAt) < Date.now());

export function Grants() {
  const grants = usePaged((page) => service.listGrants({ limit: 100, ...page }), []);
  const [revoking, setRevoking] = useState<Grant>();
  return (
    <Section
      isTitleHidden
      title="Grants"
      lead="After somebody answers “always”, the grant answers the same question from the same agent."
    >
      <Shown of={grants}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="No standing decisions" icon="done">
              <p>
                An approval that offers a grant has the choices “always allow” and “always deny”. What is chosen stands
                here until it ends or is revoked.
              </p>
            </Empty>
          ) : (
            <table class="table stacks">
              <thead>
                <tr>
                  <th scope="col">Key</th>
                  <th scope="col">Covers</th>
                  <th scope="col">Decision</th>
                  <th scope="col">Stands in</th>
                  <th scope="col">By</th>
                  <th scope="col">Given</th>
                  <th scope="col">Ends</th>
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
                      <Badge tone={grant.decision === 'allow' ? 'good' : 'bad'}>{grant.decision}</Badge>
                    </td>
                    <td>
                      {grant.scope === 'thread' ? (
                        <a href={href('threads', grant.threadId)}>one thread</a>
                      ) : (
                        grant.scope
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
                        <Badge>{grant.revokedAt ? 'revoked' : 'over'}</Badge>
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
          verb="Revoke the grant"
          onClose={() => setRevoking(undefined)}
          onConfirm={async () => {
            await service.revokeGrant({ grantId: revoking.id });
            toast('The grant is revoked.');
            grants.reload();
          }}
        >
          <p>
            From now on somebody is asked again where <code>{revoking.key}</code> is asked for.
          </p>
          <Covers grant={revoking} />
        </Confirm>
      )}
    </Section>
  );
}

/** Shows the request that the grant answers, with the values that must be the same and those that may differ. */
function Covers({ grant: { covers } }: { grant: Grant }) {
  if (!covers)
    return <>Nothing. It was given before grants recorded what they cover. Answer “always” again to renew it.</>;
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
      <div class="hint">asked by {asker.id}</div>
    </>
  );
}
