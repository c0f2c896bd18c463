/** Renders the console into its page. */
import { guardPresses } from '@holdpoint/widget/press-guard';
import { render } from 'preact';
import { App } from './app.tsx';
import { applyTheme } from './preferences.ts';

applyTheme();
guardPresses({ everywhere: true });
const place = document.getElementById('console');
if (place) render(<App />, place);
