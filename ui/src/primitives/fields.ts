const TYPED = new Set([
  'text',
  'search',
  'password',
  'email',
  'number',
  'url',
  'date',
  'datetime-local',
  'tel',
]);

/** Whether the element is one in which a person types. */
export function isField(target: EventTarget | null): target is HTMLElement {
  if (target instanceof HTMLTextAreaElement) return true;
  if (target instanceof HTMLInputElement) return TYPED.has(target.type);
  return target instanceof HTMLElement && target.isContentEditable;
}
