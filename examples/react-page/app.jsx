/** A page in React: the conversation with an agent, next to the page's own state. */
import { HoldpointChat } from '@holdpoint/widget/react';
import { use, useState } from 'react';
import { createRoot } from 'react-dom/client';

// A page never has an API key: the backend gives it a token for the signed-in user.
const session = fetch('/session').then((reply) => reply.json());

function ReleaseDesk() {
  const [waiting, setWaiting] = useState(0);
  const [decisions, setDecisions] = useState([]);
  const { server, thread, token } = use(session);
  return (
    <main>
      <header>
        <h1>Release desk</h1>
        <p className={waiting > 0 ? 'badge waits' : 'badge'}>{waiting > 0 ? `${waiting} waiting` : 'All decided'}</p>
      </header>
      <aside>
        <h2>Decided here</h2>
        {decisions.length === 0 && <p>Nothing yet.</p>}
        <ul>
          {decisions.map((title) => (
            <li key={title}>{title}</li>
          ))}
        </ul>
      </aside>
      <HoldpointChat
        server={server}
        thread={thread}
        token={token}
        onPending={({ detail }) => setWaiting(detail.count)}
        onClosed={({ detail }) => setDecisions((before) => [...before, detail.title])}
      />
    </main>
  );
}

createRoot(document.getElementById('app')).render(<ReleaseDesk />);
