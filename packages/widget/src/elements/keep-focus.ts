/** Keeps the focus when the focused element is removed: it moves to the replacement, else to the next control. */
const focusable = 'a[href], button, input, select, textarea, [tabindex]';

export function keepFocus(root: ShadowRoot): void {
  let last: Node | undefined;
  root.addEventListener('focusin', ({ target }) => {
    last = target as Node;
  });
  root.addEventListener('focusout', ({ target }) =>
    // Some browsers send `focusout` for a removed element too. An element that the person left is still in the page.
    queueMicrotask(() => {
      if (last === target && root.contains(last as Node)) last = undefined;
    }),
  );
  new MutationObserver((changes) => {
    if (!last || root.contains(last)) return;
    const lost = last;
    last = undefined;
    const { activeElement, body } = root.ownerDocument;
    // Another element has the focus already.
    if (!root.host.isConnected || (activeElement && activeElement !== body)) return;
    const change = changes.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(lost)));
    if (change) nextOf(change, changes)?.focus();
  }).observe(root, { childList: true, subtree: true });
}

function nextOf({ target, nextSibling }: MutationRecord, changes: MutationRecord[]): HTMLElement | undefined {
  const instead = changes
    .flatMap(({ addedNodes }) => [...addedNodes])
    .filter(({ parentNode }) => parentNode === target);
  let found = instead.map(firstIn).find(Boolean) ?? firstFrom(nextSibling);
  for (let place: Node | null = target; place && !found; place = place.parentNode)
    found = firstIn(place) ?? firstFrom(place.nextSibling);
  return found;
}

function firstFrom(node: Node | null): HTMLElement | undefined {
  for (let one = node; one; one = one.nextSibling) {
    const found = firstIn(one);
    if (found) return found;
  }
  return undefined;
}

function firstIn(node: Node): HTMLElement | undefined {
  if (!(node instanceof Element || node instanceof ShadowRoot)) return undefined;
  const all = [
    ...(node instanceof HTMLElement && node.matches(focusable) ? [node] : []),
    ...node.querySelectorAll<HTMLElement>(focusable),
  ];
  return all.find((one) => one.checkVisibility());
}
