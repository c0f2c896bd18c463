/** Somebody else who is connected to the database of the nodes, until the test is over. */
import { Client } from 'pg';
import { onTestFinished } from 'vitest';

export async function sessionOfATest(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  // The database may go before it does.
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}
