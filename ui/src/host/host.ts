import type { Event, Operations, WireError } from '../api/types';

export type OperationName = keyof Operations;
export type Request<N extends OperationName> = Operations[N]['request'];
export type Response<N extends OperationName> = Operations[N]['response'];

/** What a click on a notification or in the tray asks the window to show. */
export interface FocusRequest {
  session?: string | null;
  batch?: string | null;
}

export type Platform = 'mac' | 'windows' | 'linux';

/** What the window needs from the program around it. */
export interface Host {
  readonly platform: Platform;
  /** Runs one operation of the hub; rejects with a {@link WireError}. */
  call<N extends OperationName>(name: N, request: Request<N>): Promise<Response<N>>;
  /** Delivers a snapshot first, then every change; returns how to stop. */
  subscribe(onEvent: (event: Event) => void): () => void;
  /** Opens an address in the person's browser. Asked before by a dialog. */
  openExternal(url: string): Promise<void>;
  /** Calls back when something outside asks to show a session or batch; returns how to stop. */
  onFocusRequest(show: (request: FocusRequest) => void): () => void;
  /** The dock for this batch is on screen; only measurements listen. */
  painted(batch: string): void;
}

/** Makes any rejection a {@link WireError}, so that callers handle one shape. */
export function toWireError(error: unknown): WireError {
  if (typeof error === 'object' && error !== null && 'code' in error && 'message' in error) {
    return error as WireError;
  }
  return { code: 'unavailable', message: error instanceof Error ? error.message : String(error) };
}

/** The platform, from the user agent: shortcut glyphs depend on it. */
export function detectPlatform(userAgent: string): Platform {
  if (/Mac|iPhone|iPad/.test(userAgent)) return 'mac';
  return /Windows/.test(userAgent) ? 'windows' : 'linux';
}
