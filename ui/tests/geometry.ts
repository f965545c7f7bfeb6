/** What can be measured of a page: texts that are cut, covered, out of reach or too faint. */

interface Piece {
  readonly element: HTMLElement;
  readonly text: string;
  readonly box: DOMRect;
}

/** Less than this is rounding, or the slant of a letter. */
const SLACK = 2;

/** Texts that are cut off without an ellipsis or a way to scroll. */
export function clipped(): string[] {
  const found: string[] = [];
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    const style = getComputedStyle(element);
    if (style.overflowX === 'visible' || element.closest('.unseen, svg, textarea, input')) continue;
    if (style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none') continue;
    const scrolls = (overflow: string) => overflow === 'auto' || overflow === 'scroll';
    // Only code and tables may be scrolled sideways; text wraps.
    const sideways = scrolls(style.overflowX) && element.matches('pre, table, .preview');
    const wide = element.scrollWidth > element.clientWidth + SLACK && !sideways;
    const high = element.scrollHeight > element.clientHeight + SLACK && !scrolls(style.overflowY);
    if (wide || high) found.push(describe(element));
  }
  return found;
}

/** Pairs of texts or controls that lie on each other. */
export function overlapping(): string[] {
  const found: string[] = [];
  const pieces = [...texts(), ...controls()];
  for (const [at, a] of pieces.entries()) {
    for (const b of pieces.slice(at + 1)) {
      if (a.element.contains(b.element) || b.element.contains(a.element)) continue;
      if (layer(a.element) !== layer(b.element)) continue;
      const width = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const height = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (width > SLACK && height > SLACK) found.push(`${a.text} × ${b.text}`);
    }
  }
  return found;
}

/** Controls that no scrolling brings into the window. */
export function outside(): string[] {
  const found: string[] = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push('the page is too wide');
  for (const control of document.querySelectorAll<HTMLElement>('button, input, textarea, a')) {
    const box = control.getBoundingClientRect();
    if (box.width === 0 || scroller(control)) continue;
    const reachable =
      box.left >= -1 &&
      box.top >= -1 &&
      box.right <= innerWidth + 1 &&
      box.bottom <= innerHeight + 1;
    if (!reachable) found.push(describe(control));
  }
  return found;
}

/**
 * Targets below 24 by 24 whose circle of that diameter reaches into another target. Links in a
 * sentence are as high as its lines, and of an option the whole row can be hit.
 */
export function hardToHit(): string[] {
  const targets = [...document.querySelectorAll<HTMLElement>('button, summary, input, textarea')]
    .map((element) => ({ element, target: targetOf(element) }))
    .filter(({ element }) => isShown(element))
    .map(({ element, target }) => ({ element, box: target.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0 && box.height > 0);
  const small = ({ width, height }: DOMRect) => width < TARGET || height < TARGET;
  return targets
    .filter(({ box }) => small(box))
    .filter(({ element, box }) =>
      targets.some(
        (other) =>
          other.element !== element &&
          layer(other.element) === layer(element) &&
          distance(box, other.box, small(other.box)) < TARGET / 2,
      ),
    )
    .map(
      ({ element, box }) => `${box.width.toFixed()} × ${box.height.toFixed()} ${describe(element)}`,
    );
}

const TARGET = 24;

function targetOf(element: HTMLElement): HTMLElement {
  return element.matches('[type=radio], [type=checkbox]')
    ? (element.closest<HTMLElement>('.option') ?? element)
    : element;
}

/** From the middle of a box to another one, or to the circle around it where that is small too. */
function distance(from: DOMRect, to: DOMRect, circle: boolean): number {
  const x = from.x + from.width / 2;
  const y = from.y + from.height / 2;
  if (circle) {
    const between = Math.hypot(to.x + to.width / 2 - x, to.y + to.height / 2 - y);
    return between - TARGET / 2;
  }
  const beside = Math.max(to.left - x, 0, x - to.right);
  const above = Math.max(to.top - y, 0, y - to.bottom);
  return Math.hypot(beside, above);
}

/** Texts whose contrast with what lies under them is below 4.5. */
export function fadedTexts(): string[] {
  const found: string[] = [];
  for (const { element, text } of texts()) {
    const ratio = contrast(colour(getComputedStyle(element).color), colour(background(element)));
    if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${text} ${describe(element)}`);
  }
  return found;
}

/** The visible texts with where they are, as far as scrolling containers show them. */
function texts(): Piece[] {
  const pieces: Piece[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent?.trim();
    if (!element || !text || element.closest('.unseen, script, style, svg')) continue;
    if (!isShown(element) || isAdornment(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) {
      const box = visiblePart(element, line);
      if (box) pieces.push({ element, text: text.slice(0, 40), box });
    }
  }
  return pieces;
}

function controls(): Piece[] {
  const pieces: Piece[] = [];
  for (const element of document.querySelectorAll<HTMLElement>('button, input, textarea, kbd')) {
    if (!isShown(element) || isAdornment(element)) continue;
    const box = visiblePart(element, element.getBoundingClientRect());
    if (box) pieces.push({ element, text: describe(element), box });
  }
  return pieces;
}

function isShown(element: HTMLElement): boolean {
  return element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
}

/** A hint drawn inside a field, which leaves room for it. */
function isAdornment(element: HTMLElement): boolean {
  return getComputedStyle(element).pointerEvents === 'none';
}

/** A box less what the containers around it cut off. */
function visiblePart(element: HTMLElement, box: DOMRect): DOMRect | null {
  let { left, top, right, bottom } = box;
  for (let up: HTMLElement | null = element; up; up = up.parentElement) {
    if (getComputedStyle(up).overflowX === 'visible') continue;
    const edge = up.getBoundingClientRect();
    left = Math.max(left, edge.left);
    top = Math.max(top, edge.top);
    right = Math.min(right, edge.right);
    bottom = Math.min(bottom, edge.bottom);
  }
  return right - left > 1 && bottom - top > 1
    ? new DOMRect(left, top, right - left, bottom - top)
    : null;
}

/** What is meant to lie over the page: dialogs, menus, notices, and what sticks while scrolling. */
function layer(element: HTMLElement): Element | null {
  return element.closest('dialog, [role=menu], .root, .notices, .pill, .filter, .find');
}

function scroller(element: HTMLElement): HTMLElement | null {
  for (let up = element.parentElement; up; up = up.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(up);
    if ([overflowX, overflowY].some((one) => one === 'auto' || one === 'scroll')) return up;
  }
  return null;
}

function background(element: HTMLElement): string {
  for (let up: HTMLElement | null = element; up; up = up.parentElement) {
    const { backgroundColor } = getComputedStyle(up);
    if (!/^rgba\(.*, 0\)$|^transparent$/.test(backgroundColor)) return backgroundColor;
  }
  return getComputedStyle(document.body).backgroundColor;
}

const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });

function colour(css: string): readonly number[] {
  if (!canvas) throw new Error('no canvas');
  canvas.fillStyle = css;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)];
}

function contrast(a: readonly number[], b: readonly number[]): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(rgb: readonly number[]): number {
  const [r, g, b] = rgb.map((value) => {
    const s = value / 255;
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function describe(element: Element): string {
  const id = element.getAttribute('data-testid') ?? element.className.toString().split(' ')[0];
  return `<${element.tagName.toLowerCase()} ${id}> ${element.textContent?.trim().slice(0, 40)}`;
}
