/**
 * Lets a press act only on a control that the person chose. A control that moved under a resting pointer, or got the
 * focus by itself after Enter, takes no press until the pointer or the focus moves, or until the person had time to see
 * it. Otherwise a double click on one request would answer the next one too.
 */
const settleMs = 1_500;
/** The second click of a double click may be this far from the first. */
const jitterPx = { mouse: 8, pen: 12, touch: 24 } as const;
/**
 * A finger sends no events between two taps, so the guard checks the place of the last tap this often, for this long.
 */
const lookEveryMs = 100;
const lookForMs = 5_000;
/** A wheel or a key such as Escape changes the page under the pointer on purpose, up to this long afterwards. */
const steeredMs = 500;

const controls = 'a[href], button, input, select, textarea, summary, label, canvas';
const pressedBy: Record<string, string> = {
  Enter: 'a[href], button, input, select, summary',
  ' ': 'button, summary, [type=checkbox], [type=radio], [type=file]',
};

/** The pointer's position and the control there. `came` is set if the control came there by itself. */
let spot: { x: number; y: number; control: Element | undefined } | undefined;
let came: { x: number; y: number; at: number } | undefined;
/** The last accepted press, and the control that took it, until the pointer goes away. */
let last: { x: number; y: number; control: Element | undefined; at: number } | undefined;
let isRefused = false;
let steeredAt = Number.NEGATIVE_INFINITY;
let looking: ReturnType<typeof setInterval> | undefined;

/** The control that Enter or Space pressed last, and the control that got the focus in its place. */
let pressed: Element | undefined;
let given: { control: EventTarget | undefined; at: number } | undefined;
const watched = new WeakSet<Node>();

let isInstalled = false;
let isEverywhere = false;

/** Guards the elements of the widget, or every control of a page that is ours. */
export function guardPresses({ everywhere = false } = {}): void {
  isEverywhere ||= everywhere;
  if (isInstalled) return;
  isInstalled = true;
  const on = (types: string, handle: (event: never) => void) => {
    for (const type of types.split(' ')) addEventListener(type, handle as EventListener, { capture: true });
  };
  on('pointermove pointerover', follow);
  on('pointerdown', decide);
  on('mousedown pointerup mouseup click dblclick', (event: MouseEvent) => {
    // A click by the keyboard or a script has a press count of 0.
    if (isRefused && (event.type !== 'click' || event.detail > 0)) refuse(event);
  });
  on('pointercancel', () => {
    spot = undefined;
  });
  on('wheel', steer);
  on('keydown', decideKey);
  watchFocus(document);
}

function follow(event: PointerEvent): void {
  const { clientX: x, clientY: y } = event;
  arrive(controlIn(event.composedPath()), x, y);
  if (came && !isNear(came, event)) came = undefined;
  if (last && !isNear(last, event)) last = undefined;
}

const isNear = (place: { x: number; y: number }, { clientX, clientY, pointerType }: PointerEvent): boolean =>
  Math.hypot(clientX - place.x, clientY - place.y) <=
  (jitterPx[pointerType as keyof typeof jitterPx] ?? jitterPx.mouse);

/** Records the control under the pointer. It came by itself if it also covers the previous position of the pointer. */
function arrive(control: Element | undefined, x: number, y: number): void {
  const now = performance.now();
  if (spot && control !== spot.control)
    came =
      control && now - steeredAt > steeredMs && controlAt(spot.x, spot.y) === control
        ? { x: spot.x, y: spot.y, at: now }
        : undefined;
  spot = { x, y, control };
}

function decide(event: PointerEvent): void {
  pressed = undefined;
  follow(event);
  const now = performance.now();
  // The second click of a double click may be a few pixels from the first. If the pressed control has gone, another
  // control may be there that does not cover the place of the first click.
  const isSecond =
    last?.control &&
    now - last.at < settleMs &&
    now - steeredAt > steeredMs &&
    last.control !== spot?.control &&
    controlAt(last.x, last.y) !== last.control;
  isRefused = Boolean(isSecond || (came && now - came.at < settleMs)) && isGuarded(event.composedPath());
  if (!isRefused && spot) last = { ...spot, at: now };
  if (isRefused) refuse(event);
  steeredAt = Number.NEGATIVE_INFINITY;
  clearInterval(looking);
  if (event.pointerType !== 'touch') return;
  const until = now + lookForMs;
  looking = setInterval(() => {
    if (spot) arrive(controlAt(spot.x, spot.y), spot.x, spot.y);
    if (performance.now() < until) return;
    clearInterval(looking);
    spot = undefined;
  }, lookEveryMs);
}

function decideKey(event: KeyboardEvent): void {
  // A modifier key that is held during a click steers nothing.
  if (/Alt|Control|Meta|Shift/.test(event.key)) return;
  const [target] = event.composedPath();
  const pressable = pressedBy[event.key];
  const isNew = given?.control === target && given && performance.now() - given.at < settleMs;
  if (pressable === undefined) steer();
  if (pressable === undefined || !isNew) given = undefined;
  pressed = undefined;
  if (pressable === undefined || !target || !isElement(target)) return;
  watchFocus(target.getRootNode());
  pressed = target;
  // A key that is held down is one press.
  if ((isNew || event.repeat) && target.matches(pressable) && isGuarded(event.composedPath())) refuse(event);
}

function steer(): void {
  steeredAt = performance.now();
}

/** The document gets no event when the focus moves within a shadow root. */
function watchFocus(root: Node): void {
  if (watched.has(root)) return;
  watched.add(root);
  root.addEventListener('focusin', (event) => {
    const [control] = event.composedPath();
    given =
      isElement(control as EventTarget) && isOutOfReach(control as Element)
        ? { control, at: performance.now() }
        : undefined;
  });
}

/** Reports whether the pressed control went away or a dialog opened over it, so that the focus had to move. */
const isOutOfReach = (instead: Element): boolean =>
  pressed !== undefined &&
  !(pressed.isConnected && pressed.checkVisibility() && pressed.closest('dialog') === instead.closest('dialog'));

function refuse(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

const isElement = (node: EventTarget): node is Element => node instanceof Element;
const isGuarded = (path: EventTarget[]): boolean =>
  isEverywhere || path.some((node) => isElement(node) && node.localName.startsWith('holdpoint-'));
const controlIn = (path: EventTarget[]): Element | undefined =>
  path.filter(isElement).find((node) => node.matches(controls));

function controlAt(x: number, y: number): Element | undefined {
  let found = document.elementFromPoint(x, y);
  while (found?.shadowRoot) {
    const inner: Element | null = found.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === found) break;
    found = inner;
  }
  return found?.closest(controls) ?? undefined;
}
