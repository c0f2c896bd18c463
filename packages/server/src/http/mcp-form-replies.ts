/** A reply to a form may come to another node than the one whose call waits for it: nodes tell each other. */
import { type FormReplies, type FormReply, formReplies } from '@holdpoint/mcp';
import type { Store } from '../stores/store.ts';

/** The ids are random, so one table serves all orgs. */
export function repliesAcrossNodes(store: Pick<Store, 'publish' | 'onPublished'>): (orgId: string) => FormReplies {
  const here = formReplies();
  store.onPublished(({ type, data }) => {
    if (type === 'mcp.form-reply') here.publish(String(data.id), data.reply as FormReply);
  });
  return (orgId) => ({
    publish: (id, reply) => store.publish({ orgId, type: 'mcp.form-reply', data: { id, reply } }),
    listen: here.listen,
  });
}
