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

/** Entities never change, only get replaced; so each is looked at once. */
const KNOWN = new WeakMap<MessageDto | BatchDto, Item>();

/** What is pending is in the dock; it joins the timeline where it ends. */
export function itemsOf(content: Content): readonly Item[] {
  const messages = content.messages.map((message) => known(message, ofMessage));
  const batches = content.batches
    .filter((batch) => batch.status !== 'pending')
    .map((batch) => known(batch, ofBatch));
  if (batches.length === 0) return messages;
  return [...messages, ...batches].sort((a, b) => a.at - b.at);
}

function known<T extends MessageDto | BatchDto>(entity: T, make: (entity: T) => Item): Item {
  let item = KNOWN.get(entity);
  if (!item) KNOWN.set(entity, (item = make(entity)));
  return item;
}

function ofMessage(message: MessageDto): Item {
  return { kind: 'message', key: `m${message.id}`, at: Date.parse(message.posted_at), message };
}

function ofBatch(batch: BatchDto): Item {
  const at = Date.parse(batch.outcome?.ended_at ?? batch.asked_at);
  return { kind: 'batch', key: batch.id, at, batch };
}
