/** Focus is never lost: where what had it is taken away, it goes to what came in its place, or else to what is next. */
const canHaveIt = 'a[href], button, input, select, textarea, [tabindex]';

export function keepFocus(root: ShadowRoot): void {
  let last: Node | undefined;
  root.addEventListener('focusin', ({ target }) => {
    last = target as Node;
  });
  root.addEventListener('focusout', ({ target }) =>
    // Some browsers tell this too of what is being taken away; what the person has left is still there afterwards.
    queueMicrotask(() => {
      if (last === target && root.contains(last as Node)) last = undefined;
    }),
  );
  new MutationObserver((changes) => {
    if (!last || root.contains(last)) return;
    const lost = last;
    last = undefined;
    const { activeElement, body } = root.ownerDocument;
    // Whoever has it by now may keep it.
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
    ...(node instanceof HTMLElement && node.matches(canHaveIt) ? [node] : []),
    ...node.querySelectorAll<HTMLElement>(canHaveIt),
  ];
  return all.find((one) => one.checkVisibility());
}
