/** A model behind an address that speaks the protocol of OpenAI. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';

export interface ModelAddress {
  /** Up to and without `/chat/completions`. */
  url: string;
  model: string;
  key?: string;
}

export function modelAt({ url, model, key }: ModelAddress): LanguageModel {
  const withKey = key === undefined ? {} : { apiKey: key, fetch: withoutKey(key) };
  return createOpenAICompatible({ name: 'model', baseURL: url, ...withKey })(model);
}

/** What a refusal says becomes the error of a run, and some repeat the key that they were sent. */
const withoutKey =
  (key: string): typeof fetch =>
  async (...request) => {
    const response = await fetch(...request);
    if (response.ok) return response;
    const { status, statusText, headers } = response;
    const text = (await response.text()).replaceAll(key, '[key]');
    return new Response(text, { status, statusText, headers: { 'content-type': headers.get('content-type') ?? '' } });
  };
