/** A conversation without questions needs no form and no stack. Both are fetched with the first question. */
import { lazily } from '../form/lazily.tsx';
import type { DraftedCardProps } from './drafted-card.tsx';
import type { RequestCardProps } from './request-card.tsx';
import type { RequestStackProps } from './request-stack.tsx';

const load = () => import('./requests.ts');

export const DraftedCard = lazily<DraftedCardProps>(() => load().then((all) => all.DraftedCard));
export const RequestCard = lazily<RequestCardProps>(() => load().then((all) => all.RequestCard));
export const RequestStack = lazily<RequestStackProps>(() => load().then((all) => all.RequestStack));
