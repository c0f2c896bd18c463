/**
 * Names the hidden characters of text that somebody else wrote. The script that names them is fetched with the first
 * one.
 */
import { hiddenCharacter } from '@holdpoint/protocol/answers';
import type { ComponentChild } from 'preact';
import { lazily } from '../form/lazily.tsx';

const Marked = lazily(() => import('./marked-text.tsx').then((all) => all.MarkedText));

/** Use it in an element with its own text direction: a `bdi`, or one with `dir="auto"`. */
export const VisibleText = (props: { text: string; isPlain?: boolean }): ComponentChild =>
  hiddenCharacter.test(props.text) ? <Marked {...props} /> : props.text;
