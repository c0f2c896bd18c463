/** What is wrong with the request, each with its line, and a way there. */
export interface Wrong {
  message: string;
  pointer: string;
  line: number;
  column: number;
  start: number;
  end: number;
}

export function Problems({ wrong, onShow }: { wrong: readonly Wrong[]; onShow(wrong: Wrong): void }) {
  return (
    <ul class="wrong-list">
      {wrong.map((each) => (
        <li key={`${each.pointer} ${each.message}`}>
          <button type="button" class="link-button" onClick={() => onShow(each)}>
            Line {each.line}
            <span class="visually-hidden">, show it</span>
          </button>
          <span>
            {each.pointer && <code>{each.pointer}</code>} {each.message}
          </span>
        </li>
      ))}
    </ul>
  );
}
