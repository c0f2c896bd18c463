/** Whether to believe what came: for backends, so that a page does not carry it. */
export { verifyAnswer } from './verify-answer.ts';
export { type ReceivedWebhook, verifyWebhook, type WebhookEvent, WebhookNotVerified } from './verify-webhook.ts';
