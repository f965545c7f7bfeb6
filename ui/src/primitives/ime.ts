/**
 * Whether this keydown belongs to an input method. WebKit ends the composition before the keydown
 * that confirms it, so `isComposing` is already false there and only the key code 229 tells.
 */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}
