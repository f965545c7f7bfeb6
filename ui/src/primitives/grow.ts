import type { Attachment } from 'svelte/attachments';

/** Makes a text area as high as its text, up to the limit that its style sets. */
export function grow(text: () => string): Attachment<HTMLTextAreaElement> {
  return (field) => {
    // Reading the text makes the attachment run again when it changes.
    text();
    field.style.height = 'auto';
    field.style.height = `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`;
  };
}
