/** Asks about each order, in a thread of its own, and is gone: whoever works later is given the answers. */
import { approval, Holdpoint } from '@holdpoint/client';

const { HOLDPOINT_URL: url = '', HOLDPOINT_AGENT_KEY: key = '' } = process.env;
const hp = new Holdpoint({ url, key });

for (const order of process.argv.slice(2)) {
  const thread = await hp.createThread({ title: `Order ${order}` });
  await hp.create(thread, approval({ title: `Ship order ${order}?`, metadata: { order } }));
}
