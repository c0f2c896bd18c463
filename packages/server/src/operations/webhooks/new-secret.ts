import { randomBytes } from 'node:crypto';

/** As Standard Webhooks writes them; it asks for 24 to 64 bytes. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
