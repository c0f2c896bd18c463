/** Asks for an approval, and answers its own caller with the link for the person who decides. */
import { holdpoint } from '../../../holdpoint.js';

export async function POST(_request, { params }) {
  const { version } = await params;
  const hp = await holdpoint();
  const thread = await hp.createThread({ title: 'Releases', idempotencyKey: 'releases' });
  const question = { title: `Deploy ${version}?`, kind: 'approval', arguments: { version } };
  const { id } = await hp.create(thread, question, { idempotencyKey: `deploy-${version}` });
  hp.wait(id).then(({ answer }) => console.log(`${version}: ${answer?.decision ?? 'not decided'}`));
  const { token } = await hp.mintResponderToken({ responderId: 'sam', interactionId: id });
  return Response.json({ link: `/a/#${token}` }, { status: 202 });
}
