/** Renders Markdown as elements, never as HTML. HTML in the text is shown as text. */
import type { Token, Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { markdown as rules } from '../style/markdown.ts';
import { markdownSheet } from '../style/sheets.ts';
import { BoundedLexer, maxDepth } from './bounded-lexer.ts';
import { safeUrl, VisibleText } from './untrusted.tsx';

markdownSheet.replaceSync(rules);

export function MarkdownView({ text }: { text: string }) {
  const tokens = useMemo(() => tokensOf(text), [text]);
  return (
    <div class={tokens ? 'markdown' : 'plain'} dir="auto">
      {tokens ? view(tokens, 0) : <VisibleText text={text} />}
    </div>
  );
}

/** Returns undefined if the lexer gives up. The text is then shown as it was written. */
function tokensOf(text: string): Token[] | undefined {
  try {
    return new BoundedLexer({ gfm: true, breaks: true }).lex(text);
  } catch {
    return undefined;
  }
}

const view = (tokens: readonly Token[] | undefined, depth: number): ComponentChildren =>
  tokens?.map((token, index) => <TokenView key={index} token={token} depth={depth} />);

/** The tokens that are an element around others. */
const tags = new Map(
  Object.entries({ paragraph: 'p', strong: 'strong', em: 'em', del: 'del', blockquote: 'blockquote' } as const),
);

function TokenView({ token, depth }: { token: Token; depth: number }): ComponentChildren {
  if (depth > maxDepth) return <VisibleText text={token.raw} />;
  const inner = () => view((token as Tokens.Generic).tokens, depth + 1);
  const Tag = tags.get(token.type);
  if (Tag) return <Tag>{inner()}</Tag>;
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return <p class="md-heading">{inner()}</p>;
    case 'text':
      return (token as Tokens.Text).tokens ? inner() : <VisibleText text={asText((token as Tokens.Text).text)} />;
    case 'escape':
      return <VisibleText text={(token as Tokens.Escape).text} />;
    case 'codespan':
      return (
        <code>
          <VisibleText text={asText((token as Tokens.Codespan).text)} />
        </code>
      );
    case 'code':
      return (
        <pre>
          <code>
            <VisibleText text={(token as Tokens.Code).text} />
          </code>
        </pre>
      );
    case 'br':
      return <br />;
    case 'hr':
      return <hr />;
    case 'list': {
      const { ordered, start, items } = token as Tokens.List;
      const children = items.map((item, index) => <li key={index}>{view(item.tokens, depth + 1)}</li>);
      return ordered ? <ol start={Number(start) || 1}>{children}</ol> : <ul>{children}</ul>;
    }
    case 'link': {
      const href = safeUrl((token as Tokens.Link).href);
      return href ? (
        <a href={href} target="_blank" rel="noopener noreferrer">
          {inner()}
        </a>
      ) : (
        inner()
      );
    }
    case 'image': {
      const { href, text } = token as Tokens.Image;
      const src = safeUrl(href);
      return src ? (
        <img class="picture" src={src} alt={text} loading="lazy" referrerpolicy="no-referrer" />
      ) : (
        <VisibleText text={text} />
      );
    }
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return (
        <div class="table-scroll" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {header.map((cell, index) => (
                  <th key={index}>{view(cell.tokens, depth + 1)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                <tr key={index}>
                  {row.map((cell, column) => (
                    <td key={column}>{view(cell.tokens, depth + 1)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    }
    case 'kept':
      return (
        <span class="plain">
          <VisibleText text={token.raw} />
        </span>
      );
    default:
      return <VisibleText text={token.raw} />;
  }
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
/** The lexer escapes some text for HTML. This undoes it. */
const asText = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity);
