/**
 * Agent text as document nodes: a subset of Markdown, sanitised against an explicit list. No raw
 * HTML, no images, nothing that loads by itself. Links don't navigate: the click asks first.
 */
import DOMPurify from 'dompurify';
import { Marked, type RendererObject, type Tokens } from 'marked';
import { reveal } from './text';

const TAGS = [
  'p', 'br', 'strong', 'em', 'del', 'code', 'pre', 'ul', 'ol', 'li', 'blockquote', 'hr',
  'table', 'thead', 'tbody', 'tr', 'th', 'td', 'a', 'span',
]; // prettier-ignore

/** Blocks take their direction from their own text. */
const DIRECTED = 'p, li, blockquote, th, td';

const SCHEMES = new Set(['http:', 'https:']);

const renderer: RendererObject = {
  html: ({ text }: Tokens.HTML | Tokens.Tag) => escape(text),
  image: ({ text, href }: Tokens.Image) => escape(text || href),
  checkbox: ({ checked }: Tokens.Checkbox) => (checked ? '☑ ' : '☐ '),
  heading({ tokens }: Tokens.Heading) {
    return `<p><strong>${this.parser.parseInline(tokens)}</strong></p>`;
  },
  code({ text, lang }: Tokens.Code) {
    const language = lang?.match(/^[\w+#.-]{1,24}/)?.[0] ?? '';
    return `<pre data-lang="${escape(language)}"><code>${escape(text)}</code></pre>`;
  },
  link({ href, tokens }: Tokens.Link) {
    const label = this.parser.parseInline(tokens);
    const url = safeUrl(href);
    if (!url) return `${label} (${escape(href)})`;
    return `<a href="${escape(url.href)}">${label}</a>`;
  },
};

const marked = new Marked({ gfm: true, breaks: true, async: false, renderer });

/** Deeper than anybody reads; parsers go down step by step and end there. */
const TOO_DEEP = /^(?:[ \t]*(?:>|(?:[*+-]|\d{1,9}[.)])[ \t])){24}/m;

/** The text as nodes, ready to be put into the page. */
export function renderMarkdown(text: string): DocumentFragment {
  const fragment = sanitized(parsed(reveal(text)));
  // An entity is decoded only here, and may stand for what hides.
  if (text.includes('&')) revealNodes(fragment);
  return fragment;
}

/** As HTML; as plain text where its marks can't be followed. */
function parsed(text: string): string {
  try {
    if (!TOO_DEEP.test(text)) return marked.parse(text) as string;
  } catch {
    // It is nested in some other way.
  }
  return `<p>${escape(text).replace(/\n/g, '<br>')}</p>`;
}

function revealNodes(fragment: DocumentFragment): void {
  const walker = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const shown = reveal(node.nodeValue ?? '');
    if (shown !== node.nodeValue) node.nodeValue = shown;
  }
}

/** What is allowed of some HTML, whoever made it: the second wall behind the renderer. */
export function sanitized(html: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['href', 'data-lang', 'start'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    // Only `href` holds an address; the others are no business of the next line.
    ADD_URI_SAFE_ATTR: ['data-lang', 'start'],
    ALLOWED_URI_REGEXP: /^https?:/i,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const block of fragment.querySelectorAll(DIRECTED)) block.setAttribute('dir', 'auto');
  for (const code of fragment.querySelectorAll('code')) code.setAttribute('dir', 'ltr');
  for (const wide of fragment.querySelectorAll('pre, table')) wide.setAttribute('tabindex', '0');
  for (const link of fragment.querySelectorAll('a')) showHost(link);
  return fragment;
}

/** The address if it may be opened at all. */
export function safeUrl(href: string): URL | null {
  try {
    const url = new URL(href);
    return SCHEMES.has(url.protocol) ? url : null;
  } catch {
    return null;
  }
}

function showHost(link: HTMLAnchorElement): void {
  const url = safeUrl(link.getAttribute('href') ?? '');
  if (!url) {
    link.removeAttribute('href');
    return;
  }
  link.rel = 'noopener noreferrer';
  const label = link.textContent.trim().replace(/\/$/, '');
  const { host } = url;
  if (label === host || label === url.href.replace(/\/$/, '')) return;
  const shown = document.createElement('span');
  shown.className = 'link-host';
  shown.dir = 'ltr';
  shown.textContent = ` (${host})`;
  link.append(shown);
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

/** The text without its markup, on one line, for rows, chips and titles. */
export function markdownLine(text: string): string {
  return renderMarkdown(text).textContent.replace(/\s+/g, ' ').trim();
}
