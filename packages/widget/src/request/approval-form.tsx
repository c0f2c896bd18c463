/**
 * The form of a question that allows something, with the arguments before the fields and the coverage of "always" after
 * them.
 */
import { Always } from './always.tsx';
import { AnswerForm } from './answer-form.tsx';
import { Arguments } from './arguments.tsx';
import type { RequestCardProps } from './request-props.ts';

export const ApprovalForm = (props: RequestCardProps) => <AnswerForm {...props} details={{ Arguments, Always }} />;
