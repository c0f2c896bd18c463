export default function Page() {
  return (
    <p>
      An app of its own. The console of Holdpoint is at <a href="/console">/console</a>.
    </p>
  );
}
