/** The part of the reference that people read from top to bottom. */
import { limits } from '@holdpoint/protocol';
import { events, problem, questions } from './examples.ts';
import { codeView, type Html, html, jsonView, layOut } from './html.ts';
import { authorization, curlView, json, pythonHelper } from './samples.ts';

/** A placeholder for the URL of the server. */
export const originMark = '{{origin}}';

const releaseQuestion = { title: 'Deploy 4.2 to production?', options: ['yes', 'not yet'] };
const newest = '/v1/interactions?status=pending&order=newest&limit=1';
const at = (path: string) => `"$HOLDPOINT_URL${path}" ${authorization}`;

const quickstart = {
  setUp: `export HOLDPOINT_URL=${originMark}\nexport HOLDPOINT_API_KEY=hp_…`,
  thread: `curl -s ${at('/v1/threads')} \\\n  ${json} -d '{ "id": "release" }'`,
  ask: `ID=$(curl -s ${at('/v1/threads/release/interactions')} \\\n  ${json} -d '${layOut(releaseQuestion)}' | cut -d '"' -f 4)\necho "asked $ID"`,
  wait: `curl -s ${at('/v1/interactions/$ID/wait?timeoutMs=60000')}`,
  answer: `ID=$(curl -s ${at(newest)} | cut -d '"' -f 6)\ncurl -s ${at('/v1/interactions/$ID/answers')} \\\n  ${json} -d '{ "values": { "choice": "yes" } }'`,
  python: `${pythonHelper}

thread = call("POST", "/v1/threads", {"title": "Release 4.2"})
asked = call("POST", f"/v1/threads/{thread['id']}/interactions", ${layOut(releaseQuestion)})
ID = asked["id"]
print("Answer it at", os.environ["HOLDPOINT_URL"] + "/#/inbox/" + ID)
while asked["status"] == "pending":
    asked = call("GET", f"/v1/interactions/{ID}/wait?timeoutMs=60000")
print(asked["answer"]["values"])`,
};

/** The introduction, and the chapters before the operations. */
export const guideView = (summary: string): Html => html`<header class="intro" id="top">
<h1>Holdpoint <span>API reference</span></h1>
<p class="lead">${summary} Holdpoint stores the question, checks the answer against it, and returns it to the waiting program, even after a restart of either.</p>
<p class="facts"><a href="/openapi.json">OpenAPI 3.1 document</a> <span>Base path <code>/v1</code></span> <span>JSON, camelCase</span></p>
</header>
<section id="quickstart" class="guide">
<h2>Quickstart</h2>
<p>Four commands: an agent asks and waits, a person answers, the agent continues. Set two variables in two terminals; every sample of this page reads them. The server printed the admin key at its first start. If you started it with <code>HOLDPOINT_API_KEY</code>, use that key. The samples use the thread of step 1.</p>
${codeView('both terminals', quickstart.setUp)}
<ol class="steps">
<li><h3>Create a thread</h3><p>A thread contains questions and messages.</p>${codeView('terminal 1: the agent', quickstart.thread)}</li>
<li><h3>Ask</h3><p>A question with options is a choice.</p>${codeView('terminal 1: the agent', quickstart.ask)}</li>
<li><h3>Wait</h3><p>The call returns when the question is answered, or after a minute. Then wait again.</p>${codeView('terminal 1: the agent', quickstart.wait)}</li>
<li><h3>Answer</h3><p>Find the open question and answer it. The wait in the other terminal returns at once.</p>${codeView('terminal 2: the person', quickstart.answer)}</li>
</ol>
<h3 id="python">The same in Python</h3>
<p>Without packages. The samples of this page in Python begin with this <code>call</code>.</p>
${codeView('agent.py', quickstart.python)}
</section>
<section id="authentication" class="guide">
<h2>Authentication</h2>
<p>Send <code>Authorization: Bearer …</code> with an API key or a responder token with every call under <code>/v1</code>. For records of another org, or outside the scope of a token, the server returns 404.</p>
<table class="stack"><thead><tr><th scope="col">Caller</th><th scope="col">For</th><th scope="col">Permissions</th></tr></thead><tbody>
<tr><td><b>Admin key</b></td><td>your backend</td><td>all permissions of an agent key; answer for the person in <code>responder</code>; create keys, tokens and webhooks; revoke grants</td></tr>
<tr><td><b>Agent key</b></td><td>an agent</td><td>create threads; ask, read, wait, change and cancel; take secrets; answer only as an agent, so that it cannot approve its own requests</td></tr>
<tr><td><b>Responder token</b> of a thread</td><td>a person’s browser</td><td>read and follow that thread, post to it, answer and decline in that person’s name</td></tr>
<tr><td><b>Responder token</b> of an interaction</td><td>a link to one question</td><td>read, wait for, answer or decline that question</td></tr>
<tr><td><b>Stream token</b></td><td>the EventSource of a page</td><td>open one event stream by its address; expires within minutes</td></tr>
</tbody></table>
<p>Keys begin with <code>hp_</code>, are shown once and stored as hashes. Tokens begin with <code>hpr_</code>, are signed, and expire: after an hour by default, after ${limits.responderTokenSeconds / 86_400} days at most.</p>
</section>
<section id="asking" class="guide">
<h2>Asking</h2>
<p>Every question is stored as <a href="#field">fields</a>, and answered as an object of values by field name. The short forms become fields when they are stored.</p>
<div class="cards">
<article><h3>Input</h3><p>A title alone asks for one text. The value is <code>text</code>.</p>${codeView('body', jsonView(questions.input))}</article>
<article><h3>Choice</h3><p>Options make a choice. The value is <code>choice</code>. At this deadline the server takes the recommended option.</p>${codeView('body', jsonView(questions.choice))}</article>
<article><h3>Approval</h3><p>Allow or deny. The value is <code>decision</code>. A field with the name of an argument lets the person edit it.</p>${codeView('body', jsonView(questions.approval))}</article>
<article><h3>Form</h3><p>Any fields. A field with <code>visibleIf</code> is visible only while its rules are met.</p>${codeView('body', jsonView(questions.form))}</article>
</div>
<p>A form or input can use a JSON Schema instead: give a <code>payloadSchema</code>, and the server checks the <code>payload</code> of the answer against it.</p>
</section>
<section id="repeating" class="guide">
<h2>Repeating calls</h2>
<p>Send a POST with a new <code>Idempotency-Key</code>. The call then runs once, even if it arrives several times or the server restarts in between. A repeated call returns the current record. The same key with another body is <a href="#error-idempotency-key-reused">rejected</a>. A rejected call does not use up its key.</p>
${codeView(
  'curl',
  curlView({
    method: 'POST',
    path: '/v1/threads/release/interactions',
    more: '-H "idempotency-key: release-4.2-go"',
    body: questions.input,
  }),
)}
</section>`;

export const followingView = (): Html => html`<h3 id="stream-format">The stream</h3>
<p>Each event is one frame. Its <code>id</code> is a cursor: a reader that reconnects with it as <code>Last-Event-ID</code> gets everything after it, without a gap and without a repetition. <code>after=start</code> begins at the first event; without a cursor the stream begins now. A comment every 15 seconds keeps the connection open. The server disconnects a reader that is more than 1 MB behind. It resumes in the same way. With <code>ephemeral=true</code> the stream also has ephemeral events, in frames without an <code>id</code>: <code>message.delta</code> with <code>messageId</code>, <code>text</code> and <code>offset</code> for each piece of a message that is being streamed, and <code>thread.typing</code>.</p>
${codeView('frame', `id: ${events[0]?.cursor}\nevent: ${events[0]?.type}\ndata: ${JSON.stringify(events[0])}`)}`;

export const problemView =
  (): Html => html`<p>Every error is an RFC 9457 problem with the content type <code>application/problem+json</code>. Decide by <code>code</code>, not by the text. <code>retryable</code> says whether the same call may succeed later; <code>errors</code> points at each invalid value; <code>current</code> is the current state of the record; <code>instance</code> is the id of the request, also in the header <code>x-request-id</code>.</p>
${codeView('problem', jsonView(problem))}`;
