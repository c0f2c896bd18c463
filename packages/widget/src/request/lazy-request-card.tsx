/** A conversation in which nothing is asked needs no form: it comes with the first question. */
import { lazily } from '../form/lazily.tsx';
import type { RequestCardProps } from './request-card.tsx';

export const RequestCard = lazily<RequestCardProps>(() => import('./request-card.tsx').then((all) => all.RequestCard));
