/** Blocks of a message, in order. A type that is not known is skipped, as is a part of one that makes no sense. */
import type { Block } from '@holdpoint/protocol';
import { Markdown } from './lazy-markdown.tsx';
import { safeUrl } from './safe-url.ts';

export interface BlocksProps {
  blocks: readonly Block[];
  /** A link was followed. */
  onLink?: (url: string) => void;
}

export function Blocks({ blocks, onLink }: BlocksProps) {
  return (
    <>
      {blocks.map((block, index) => (
        <BlockView key={block.id ?? index} block={block} {...(onLink ? { onLink } : {})} />
      ))}
    </>
  );
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

function BlockView({ block: { type, payload }, onLink }: { block: Block; onLink?: (url: string) => void }) {
  switch (type) {
    case 'message': {
      const text = textOf(payload.text);
      if (!text) return null;
      return payload.format === 'markdown' ? <Markdown text={text} /> : <p class="plain">{text}</p>;
    }
    case 'link':
      return <Link url={payload.url} label={textOf(payload.label)} {...(onLink ? { onLink } : {})} />;
    case 'image':
      return <Picture url={payload.url} alt={textOf(payload.alt)} />;
    case 'card':
      return <Card payload={payload} {...(onLink ? { onLink } : {})} />;
    default:
      return null;
  }
}

function Link({ url, label, onLink }: { url: unknown; label: string | undefined; onLink?: (url: string) => void }) {
  const href = safeUrl(url);
  if (!href) return label ? <p class="plain">{label}</p> : null;
  return (
    <p>
      <a class="button link" href={href} target="_blank" rel="noopener noreferrer" onClick={() => onLink?.(href)}>
        {label ?? href}
      </a>
    </p>
  );
}

function Picture({ url, alt }: { url: unknown; alt: string | undefined }) {
  const src = safeUrl(url);
  return src ? <img class="picture" src={src} alt={alt ?? ''} loading="lazy" referrerpolicy="no-referrer" /> : null;
}

function Card({ payload, onLink }: { payload: Block['payload']; onLink?: (url: string) => void }) {
  const { image, title, text, actions } = payload;
  const picture =
    typeof image === 'object' && image !== null ? (image as { url?: unknown; alt?: unknown }) : { url: image };
  const links = (Array.isArray(actions) ? actions : []).filter((action) => safeUrl(action?.url));
  return (
    <section class="block-card">
      <Picture url={picture.url} alt={textOf(picture.alt)} />
      {textOf(title) && <h3>{textOf(title)}</h3>}
      {textOf(text) && <p class="plain">{textOf(text)}</p>}
      {links.map(({ url, label }) => (
        <Link key={url} url={url} label={textOf(label)} {...(onLink ? { onLink } : {})} />
      ))}
    </section>
  );
}
