/** A session's timeline: messages and ended batches in the order in which they came. */
import type { BatchDto, MessageDto } from '../../api/types';
import type { Content } from '../../state/model';

export type Item =
  | {
      readonly kind: 'message';
      readonly key: string;
      readonly at: number;
      readonly message: MessageDto;
    }
  | { readonly kind: 'batch'; readonly key: string; readonly at: number; readonly batch: BatchDto };

/** What is pending is in the dock; it joins the timeline where it ends. */
export function itemsOf(content: Content): readonly Item[] {
  const messages = content.messages.map((message): Item => {
    return { kind: 'message', key: `m${message.id}`, at: Date.parse(message.posted_at), message };
  });
  const batches = content.batches
    .filter((batch) => batch.status !== 'pending')
    .map((batch): Item => {
      const at = Date.parse(batch.outcome?.ended_at ?? batch.asked_at);
      return { kind: 'batch', key: batch.id, at, batch };
    });
  if (batches.length === 0) return messages;
  return [...messages, ...batches].sort((a, b) => a.at - b.at);
}
