// Looks at the page as a careful reader does: `return` of this script is what is wrong with it.
// Texts that are cut, lie on each other or are too faint; what axe finds is asked for apart.
const SLACK = 2;
const found = [];

const shown = (element) =>
  element.checkVisibility
    ? element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    : element.getClientRects().length > 0;

const name = (element) => {
  const id = element.dataset?.testid ?? String(element.className).split(' ')[0];
  return `<${element.tagName.toLowerCase()} ${id}> ${element.textContent.trim().slice(0, 40)}`;
};

// What the containers around a box leave of it.
const visible = (element, { left, top, right, bottom }) => {
  for (let up = element; up; up = up.parentElement) {
    if (getComputedStyle(up).overflowX === 'visible') continue;
    const edge = up.getBoundingClientRect();
    left = Math.max(left, edge.left);
    top = Math.max(top, edge.top);
    right = Math.min(right, edge.right);
    bottom = Math.min(bottom, edge.bottom);
  }
  return right - left > 1 && bottom - top > 1 ? { left, top, right, bottom } : null;
};

const scrolls = (overflow) => overflow === 'auto' || overflow === 'scroll';
for (const element of document.querySelectorAll('body *')) {
  const style = getComputedStyle(element);
  if (style.overflowX === 'visible' || element.closest('.unseen, svg, textarea, input')) continue;
  const clamped = style.webkitLineClamp && style.webkitLineClamp !== 'none';
  if (style.textOverflow === 'ellipsis' || clamped) continue;
  const sideways = scrolls(style.overflowX) && element.matches('pre, table, .preview');
  const wide = element.scrollWidth > element.clientWidth + SLACK && !sideways;
  const high = element.scrollHeight > element.clientHeight + SLACK && !scrolls(style.overflowY);
  if (wide || high) found.push(`cut: ${name(element)}`);
}

const pieces = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const element = node.parentElement;
  if (!node.textContent.trim() || element.closest('.unseen, script, style, svg')) continue;
  if (!shown(element) || getComputedStyle(element).pointerEvents === 'none') continue;
  const range = document.createRange();
  range.selectNodeContents(node);
  for (const line of range.getClientRects()) {
    const box = visible(element, line);
    if (box) pieces.push({ element, text: node.textContent.trim().slice(0, 40), box });
  }
}

const layer = (element) => element.closest('dialog, [role=menu], .root, .notices, .pill, .filter');
pieces.forEach((a, at) => {
  for (const b of pieces.slice(at + 1)) {
    if (a.element.contains(b.element) || b.element.contains(a.element)) continue;
    if (layer(a.element) !== layer(b.element)) continue;
    const width = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
    const height = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
    if (width > SLACK && height > SLACK) found.push(`overlap: ${a.text} × ${b.text}`);
  }
});

// Computed colours are `rgb(…)`, or `color(srgb …)` where they were mixed.
const colour = (css) => {
  const numbers = css.match(/-?[\d.]+(?:e-?\d+)?/g).map(Number);
  const scale = css.startsWith('color(') ? 1 : 255;
  return { rgb: numbers.slice(0, 3).map((one) => one / scale), alpha: numbers[3] ?? 1 };
};
const ground = (element) => {
  for (let up = element; up; up = up.parentElement) {
    const { rgb, alpha } = colour(getComputedStyle(up).backgroundColor);
    if (alpha > 0) return rgb;
  }
  return [1, 1, 1];
};
const luminance = (rgb) => {
  const [r, g, b] = rgb.map((s) => (s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
for (const element of new Set(pieces.map((piece) => piece.element))) {
  const pair = [luminance(colour(getComputedStyle(element).color).rgb), luminance(ground(element))];
  const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
  if (ratio < 4.5) found.push(`faint, ${ratio.toFixed(2)}: ${name(element)}`);
}

if (pieces.length < 10) found.push(`only ${pieces.length} texts on the page`);
return found;
