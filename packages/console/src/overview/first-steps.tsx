/** Where nothing was asked yet: an agent that asks at one click, a question of one's own at another, and the line for a terminal. */

import type { Demo } from '../demo/demo.ts';
import { Code } from '../parts/code.tsx';
import { Icon } from '../parts/icon.tsx';
import { AskButton } from './ask-button.tsx';
import { DemoButton } from './demo-button.tsx';

const curl = () => `ask() { curl -s "${location.origin}/v1/$1" -d "$2" \\
  -H "authorization: Bearer $HOLDPOINT_API_KEY" \\
  -H 'content-type: application/json'; }
ask threads '{ "id": "first" }'
ask threads/first/interactions '{ "title": "Deploy 4.2?", "kind": "approval" }'`;

export function FirstSteps({ demo }: { demo: Demo | undefined }) {
  return (
    <section class="first card" aria-labelledby="first-title">
      <div class="first-lead">
        <span class="first-icon">
          <Icon name="agent" />
        </span>
        <div>
          <h2 id="first-title">{demo?.isOn ? 'See an agent ask' : 'Ask the first question'}</h2>
          <p>
            {demo?.isOn
              ? 'A release manager plans a release with you: a form, an approval whose arguments you may edit, a signature. Kill it in the middle, and watch it go on.'
              : 'An agent asks, a person answers here or in any page, and the agent goes on. Nothing is lost in between.'}
          </p>
          <div class="actions">
            {demo?.isOn && <DemoButton isPrimary />}
            <AskButton isPrimary={!demo?.isOn} />
          </div>
        </div>
      </div>
      <div class="first-code">
        <h3>Or ask from your own code</h3>
        <Code text={curl()} what="the command" />
        <p class="hint">
          Keys are made in the <a href="#/settings">settings</a>; every call is in the{' '}
          <a href="/docs" target="_blank" rel="noreferrer">
            API reference
          </a>
          .
        </p>
      </div>
    </section>
  );
}
