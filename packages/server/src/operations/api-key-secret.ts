/** API keys are 256 random bits; only their hash is kept, and it needs no salt because nobody guesses 256 bits. */
import { hash, randomBytes } from 'node:crypto';

export const newApiKeySecret = (): string => `hp_${randomBytes(32).toString('base64url')}`;

export const hashApiKey = (secret: string): string => hash('sha256', secret, 'base64url');
