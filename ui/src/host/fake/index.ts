import type { Host } from '../host';
import { FakeHub } from './hub';
import { scene } from './scenes';

export { FakeHub } from './hub';

/** `?scene=NAME&theme=dark&language=en-XA&platform=mac`: a page to look at, without a hub. */
export function fakeHost(query: URLSearchParams): Host {
  const world = scene(query.get('scene') ?? 'open');
  world.settings.theme = query.get('theme') ?? 'light';
  world.settings.language = query.get('language') ?? 'en';
  const hub = new FakeHub(world);
  if (query.get('platform') === 'mac') hub.platform = 'mac';
  return hub;
}
