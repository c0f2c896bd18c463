/** Asks about each order in its own thread, then ends. Workers get the answers later. */
import { approval, Holdpoint } from '@holdpoint/client';

const { HOLDPOINT_URL: url = '', HOLDPOINT_AGENT_KEY: key = '' } = process.env;
const hp = new Holdpoint({ url, key });

for (const order of process.argv.slice(2)) {
  const thread = await hp.createThread({ title: `Order ${order}` });
  await hp.create(thread, approval({ title: `Ship order ${order}?`, metadata: { order } }));
}
