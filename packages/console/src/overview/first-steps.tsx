/** The first steps on a server without any request: start the demo, create a request, or call the API. */
import { beginDemo, type Demo } from '../demo/demo-bar.tsx';
import { Button, useAction } from '../parts/button.tsx';
import { Code } from '../parts/code.tsx';
import { Icon } from '../parts/icon.tsx';
import { go, href } from '../route.ts';
import { service } from '../service.ts';

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
          <h2 id="first-title">{demo?.isOn ? 'See an agent at work' : 'Create your first request'}</h2>
          <p>
            {demo?.isOn
              ? 'A demo agent plans a release with you: a form, an approval with editable arguments, a signature. Kill the agent halfway and watch it continue.'
              : 'An agent sends a request, a person answers it here or in any web page, and the agent continues. Nothing gets lost in between.'}
          </p>
          <div class="actions">
            {demo?.isOn && <DemoButton isPrimary />}
            <AskButton isPrimary={!demo?.isOn} />
          </div>
        </div>
      </div>
      <div class="first-code">
        <h3>Or call the API</h3>
        <Code text={curl()} what="the command" />
        <p class="hint">
          Create a key in the <a href="#/settings">settings</a>, and set it as <code>HOLDPOINT_API_KEY</code>. The{' '}
          <a href="/docs" target="_blank" rel="noreferrer">
            API reference
          </a>{' '}
          lists every call.
        </p>
      </div>
    </section>
  );
}

/** Creates a sample request, so that there is one to answer. */
function AskButton({ isPrimary }: { isPrimary: boolean }) {
  const [ask, isBusy] = useAction(async () => {
    const { id: threadId } = await service.createThread({ title: 'Sample request' });
    const { id } = await service.createInteraction({
      threadId,
      title: 'Deploy 4.2 to production?',
      body: 'All checks passed. The new version starts with 25 % of the traffic.',
      kind: 'approval',
      arguments: { version: '4.2', percent: 25 },
    });
    go(href('inbox', id));
  });
  return <Button text="Create a sample request" look={isPrimary ? 'primary' : ''} isOff={isBusy} onClick={ask} />;
}

/** Starts the demo and opens its conversation. */
export function DemoButton({ isPrimary = false }: { isPrimary?: boolean }) {
  const [begin, isBusy] = useAction(async () => go(href('threads', (await beginDemo()).threadId)));
  const text = (
    <>
      <Icon name="agent" />
      {isPrimary ? 'Start the demo' : 'Start demo'}
    </>
  );
  return <Button text={text} look={isPrimary ? 'primary' : ''} isOff={isBusy} onClick={begin} />;
}
