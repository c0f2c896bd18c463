/** The tests meet what a page would: the built bundle. */
import { buildWidget } from '../../../scripts/build-widget.ts';

export const setup = (): Promise<void> => buildWidget('packages/server/dist/widget');
