/** The form of a question with an assurance: says what it needs, and has the person sign the answer with a passkey. */
import type { Interaction } from '@holdpoint/protocol';
import { challengeOf, challengeOfDecline } from '@holdpoint/protocol/signing';
import type { ComponentChildren, ComponentType } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { englishAssured } from '../strings/assured-words.ts';
import { hasPasskeys, loadSigner, type SignedAnswer, type Signer, signText } from './passkey.ts';
import { Prompt } from './prompt.tsx';
import type { RequestActions, RequestCardProps, Sent } from './request-props.ts';

/** The address of the server that this script came from. */
const server = new URL(import.meta.url).origin;
/** The tokens of people begin with it. Those of responders are for whoever has the link. */
const personPrefix = 'hpu_';

interface AssuredFormProps extends RequestCardProps {
  form: ComponentType<RequestCardProps>;
}

export function AssuredForm({ form: Form, ...props }: AssuredFormProps) {
  const { interaction, actions, strings } = props;
  const { assurance } = interaction;
  const words = strings.assured ?? englishAssured;
  const [isPerson, setIsPerson] = useState<boolean>();
  const [note, setNote] = useState<ComponentChildren>();
  const signer = useRef<Promise<Signer>>(undefined);

  useLayoutEffect(() => {
    void actions
      .token()
      .then((token) => {
        const isOfPerson = token.startsWith(personPrefix);
        // Read before the person sends, because some browsers ask for a passkey only soon after a press.
        if (isOfPerson && assurance === 'passkey') signer.current = loadSigner(server, token);
        signer.current?.catch(() => {});
        setIsPerson(isOfPerson);
      })
      .catch(() => setIsPerson(false));
  }, []);

  const signed = useMemo(() => {
    /** Returns the signature, or undefined after it has said why there is none. */
    async function sign(textFor: (personId: string) => string | undefined): Promise<SignedAnswer | undefined> {
      const say = (line: ComponentChildren) => {
        setNote(line);
        return undefined;
      };
      if (!hasPasskeys()) return say(words.noPasskeysHere);
      let found = await signer.current?.catch(() => undefined);
      // Reading may have failed, or the person may have added a passkey in another tab since.
      if (!found || found.passkeys.length === 0) {
        signer.current = loadSigner(server, await actions.token());
        found = await signer.current;
      }
      if (found.passkeys.length === 0)
        return say(
          <>
            {words.noPasskey} <Leading to="/#/settings?tab=you" text={words.addPasskey} />
          </>,
        );
      setNote(words.confirm);
      const signature = await signText(textFor(found.id) ?? '', found.passkeys);
      return signature ?? say(words.cancelled);
    }
    const withSignature = async (
      textFor: (personId: string) => string | undefined,
      send: (signature?: SignedAnswer) => Promise<Sent>,
    ): Promise<Sent> => {
      setNote(undefined);
      // The server refuses values without a text, and says why.
      if (assurance !== 'passkey' || textFor('') === undefined) return send();
      const signature = await sign(textFor);
      if (!signature) return { ok: false, problems: [], message: '' };
      const sent = await send(signature);
      setNote(undefined);
      return sent;
    };
    return {
      ...actions,
      answer: (asked: Interaction, values, payload) =>
        withSignature(
          (personId) => challengeOf(asked, personId, { values, payload }),
          (signature) => actions.answer(asked, values, payload, signature),
        ),
      decline: (asked, reason) =>
        withSignature(
          (personId) => challengeOfDecline(asked, personId),
          (signature) => actions.decline(asked, reason, signature),
        ),
    } satisfies RequestActions;
  }, [actions, assurance]);

  if (isPerson === undefined) return <div class="placeholder" aria-hidden="true" />;
  if (!isPerson)
    return (
      <section class="card" part="card">
        <Prompt {...props} headingLevel={props.headingLevel ?? 2} />
        <p class="changed">
          {words.signIn} <Leading to={`/#/inbox/${encodeURIComponent(interaction.id)}`} text={words.openInbox} />
        </p>
      </section>
    );
  return (
    <>
      <Form {...props} actions={signed} />
      {assurance === 'passkey' && (
        <p class={note ? 'changed' : 'hint'} role="status">
          {note ?? words.willConfirm}
        </p>
      )}
    </>
  );
}

/** A link to the console. A page of another site stays open. */
const Leading = ({ to, text }: { to: string; text: string }) => (
  <a href={server + to} {...(server === location.origin ? {} : { target: '_blank', rel: 'noopener' })}>
    {text}
  </a>
);
