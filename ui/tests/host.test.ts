import { clearMocks, mockIPC } from '@tauri-apps/api/mocks';
import { afterEach, describe, expect, test } from 'vitest';
import type { Event } from '../src/api/types';
import { detectPlatform, toWireError } from '../src/host/host';
import { tauriHost } from '../src/host/tauri';
import { glyphs } from '../src/primitives/glyphs';
import { looksLikeCredential } from '../src/features/dock/credential';

afterEach(clearMocks);

describe('the desktop host', () => {
  test('calls an operation by its name', async () => {
    const seen: unknown[] = [];
    mockIPC((command, payload) => {
      seen.push([command, payload]);
      return { id: 'b' };
    });
    expect(await tauriHost().call('batch.get', { id: 'b' })).toEqual({ id: 'b' });
    expect(seen).toEqual([['call', { name: 'batch.get', request: { id: 'b' } }]]);
  });

  test('rejects with the error of the hub as it is', async () => {
    const refused = { code: 'stale_draft', message: 'Saved elsewhere.' };
    mockIPC(() => {
      throw refused;
    });
    await expect(tauriHost().call('batch.get', { id: 'b' })).rejects.toEqual(refused);
  });

  test('rejects with one shape also when the bridge itself fails', async () => {
    mockIPC(() => {
      throw new Error('no such command');
    });
    await expect(tauriHost().call('batch.get', { id: 'b' })).rejects.toEqual({
      code: 'unavailable',
      message: 'no such command',
    });
  });

  test('delivers events in order until it is stopped', async () => {
    let channel: { onmessage: (message: unknown) => void } | undefined;
    mockIPC((command, payload) => {
      if (command === 'subscribe') channel = (payload as { channel: typeof channel }).channel;
    });
    const seen: number[] = [];
    const stop = tauriHost().subscribe((event) => seen.push(event.seq));
    await Promise.resolve();
    const event = (seq: number): Event => ({ seq, type: 'session_deleted', data: 'x' });
    channel?.onmessage({ events: [event(1), event(2)] });
    channel?.onmessage({ events: [event(3)] });
    stop();
    channel?.onmessage({ events: [event(4)] });
    expect(seen).toEqual([1, 2, 3]);
  });

  test('hands on what the app asks to show', async () => {
    let channel: { onmessage: (message: unknown) => void } | undefined;
    mockIPC((command, payload) => {
      if (command === 'subscribe') channel = (payload as { channel: typeof channel }).channel;
    });
    const host = tauriHost();
    const seen: unknown[] = [];
    const stop = host.onFocusRequest((request) => seen.push(request));
    host.subscribe(() => undefined);
    await Promise.resolve();
    channel?.onmessage({ focus: { batch: 'b' } });
    stop();
    channel?.onmessage({ focus: { batch: 'c' } });
    expect(seen).toEqual([{ batch: 'b' }]);
  });

  test('a host that measures nothing is no error', () => {
    mockIPC(() => {
      throw new Error('unknown command');
    });
    expect(() => tauriHost().painted('b')).not.toThrow();
  });
});

test('anything thrown becomes an error of the wire', () => {
  expect(toWireError('broken')).toEqual({ code: 'unavailable', message: 'broken' });
});

test('glyphs follow the platform', () => {
  expect(glyphs('Mod+Enter', 'mac')).toBe('⌘⏎');
  expect(glyphs('Mod+Enter', 'linux')).toBe('Ctrl ⏎');
  expect(detectPlatform('Mozilla/5.0 (Macintosh; Intel Mac OS X)')).toBe('mac');
  expect(detectPlatform('Mozilla/5.0 (X11; Linux x86_64)')).toBe('linux');
});

describe('credentials', () => {
  test.each([
    '-----BEGIN OPENSSH PRIVATE KEY-----',
    'use sk-proj-abcdefghijklmnopqrstuvwx please',
    'AKIAIOSFODNN7EXAMPLE',
    'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
    'Zk3vQ9xL0aPq7RtB2mNc8WsD5eYfUgHj',
  ])('%s looks like one', (text) => expect(looksLikeCredential(text)).toBe(true));

  test.each([
    'Staging first, then production at 22:00.',
    'd41d8cd98f00b204e9800998ecf8427e',
    '0199c0de-7d1f-7aaa-8bbb-000000000042',
    '/home/ana/code/payments-api/src/main/java/com/example/Application2.java',
    'Donaudampfschifffahrtsgesellschaftskapitän',
  ])('%s does not', (text) => expect(looksLikeCredential(text)).toBe(false));
});
