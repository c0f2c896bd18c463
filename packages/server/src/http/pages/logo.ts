/** The logo: the icon of every page that the server makes, and its name at the top. The console has the same file. */
import { html } from '../docs/html.ts';

export const iconFile = '/icon.svg';

export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>Holdpoint</title><rect width="32" height="32" rx="8" fill="#2f56d9"/><path d="M11 9v14M21 9v14" stroke="#fff" stroke-width="4" stroke-linecap="round"/><circle cx="16" cy="16" r="2.6" fill="#fff"/></svg>';

export const iconLink = html`<link rel="icon" type="image/svg+xml" href="${iconFile}">`;
export const logoView = html`<img src="${iconFile}" alt="" width="24" height="24">`;
