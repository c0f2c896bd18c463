/** Helps tests that use only the keyboard. */
import type { Locator, Page } from 'playwright-core';

export const hasFocus = (target: Locator): Promise<boolean> => target.evaluate((it) => it.matches(':focus'));

const mostPresses = 80;

/** Waits for the control, as a person does. */
export async function tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < mostPresses; presses++) {
    if (await hasFocus(target)) return;
    await target.page().keyboard.press(key);
  }
  throw new Error(`${target} is not reached by ${key}`);
}

export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Returns the focused element, also in shadow roots. Undefined if the focus is lost. */
export const focused = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => {
    let it = document.activeElement;
    while (it?.shadowRoot?.activeElement) it = it.shadowRoot.activeElement;
    if (!it || it === document.body || it.shadowRoot) return undefined;
    return it.getAttribute('aria-label') ?? ((it as HTMLElement).innerText || it.id);
  });

/** The focus is on no element. */
export const blur = (page: Page): Promise<void> =>
  page.evaluate(() => {
    let it = document.activeElement;
    while (it?.shadowRoot?.activeElement) it = it.shadowRoot.activeElement;
    (it as HTMLElement | null)?.blur();
  });
