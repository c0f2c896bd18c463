/** An address that leads nowhere. */
import { Empty } from '../parts/empty.tsx';
import { Page } from '../parts/page.tsx';
import { href } from '../route.ts';

export function NotFound() {
  return (
    <Page title="There is no such page">
      <Empty title="The address may be cut off, or from another version." icon="search">
        <p>
          <a class="button" href={href('overview')}>
            To the overview
          </a>
        </p>
      </Empty>
    </Page>
  );
}
