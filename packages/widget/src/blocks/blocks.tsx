/** Shows the blocks of a message in order. Unknown types are skipped, and so are parts that make no sense. */
import type { Block } from '@holdpoint/protocol';
import { lazily } from '../form/lazily.tsx';
import { OwnText, safeUrl } from './untrusted.tsx';

const marks = /[*_`#[\]~>|!\\]|^\s*[-+\d]|https?:|\n\n/m;
const Rich = lazily(() => import('./markdown.tsx').then((all) => all.MarkdownView));

/** Text in the direction of its own language. */
const Plain = ({ text = '' }: { text: string | undefined }) => <OwnText tag="p" class="plain" text={text} />;

export const Markdown = ({ text }: { text: string }) =>
  marks.test(text) ? <Rich text={text} /> : <Plain text={text} />;

export function Blocks({ blocks }: { blocks: readonly Block[] }) {
  return (
    <>
      {blocks.map((block, index) => (
        <BlockView key={block.id ?? index} block={block} />
      ))}
    </>
  );
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

function BlockView({ block: { type, payload } }: { block: Block }) {
  switch (type) {
    case 'message': {
      const text = textOf(payload.text);
      if (!text) return null;
      return payload.format === 'markdown' ? <Markdown text={text} /> : <Plain text={text} />;
    }
    case 'link':
      return <Link url={payload.url} label={textOf(payload.label)} />;
    case 'image':
      return <Picture url={payload.url} alt={textOf(payload.alt)} />;
    case 'card':
      return <Card payload={payload} />;
    default:
      return null;
  }
}

function Link({ url, label }: { url: unknown; label: string | undefined }) {
  const href = safeUrl(url);
  if (!href) return null;
  return (
    <p>
      <a class="button link" href={href} target="_blank" rel="noopener noreferrer">
        <OwnText text={label ?? href} />
      </a>
    </p>
  );
}

function Picture({ url, alt }: { url: unknown; alt: string | undefined }) {
  const src = safeUrl(url);
  return src ? <img class="picture" src={src} alt={alt ?? ''} loading="lazy" referrerpolicy="no-referrer" /> : null;
}

function Card({ payload }: { payload: Block['payload'] }) {
  const { image, title, text, actions } = payload;
  const picture =
    typeof image === 'object' && image !== null ? (image as { url?: unknown; alt?: unknown }) : { url: image };
  const links = (Array.isArray(actions) ? actions : []).filter((action) => safeUrl(action?.url));
  // A card with nothing to show would be an empty box.
  if (!safeUrl(picture.url) && !textOf(title) && !textOf(text) && links.length === 0) return null;
  return (
    <section class="block-card">
      <Picture url={picture.url} alt={textOf(picture.alt)} />
      {textOf(title) && <OwnText tag="h3" text={String(title)} />}
      {textOf(text) && <Plain text={textOf(text)} />}
      {links.map(({ url, label }) => (
        <Link key={url} url={url} label={textOf(label)} />
      ))}
    </section>
  );
}
