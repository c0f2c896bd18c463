/** Most questions are asked by fields: what draws a schema comes with the first question that has one. */
import { lazily } from '../form/lazily.tsx';
import type { PayloadFormProps } from './payload-form.tsx';

export const PayloadForm = lazily<PayloadFormProps>(() => import('./payload-form.tsx').then((all) => all.PayloadForm));
