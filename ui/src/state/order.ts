/** In which groups and order sessions and pending batches are shown. */
import type { BatchDto, SessionDto } from '../api/types';

export type GroupName = 'waiting' | 'away' | 'active' | 'earlier';

export interface Group {
  readonly name: GroupName;
  readonly sessions: readonly SessionDto[];
}

/** A session without a client counts as active for this long after its last activity. */
const ACTIVE_MS = 12 * 3_600_000;

/** The sessions that match `find`, in groups; empty groups are left out. */
export function groupSessions(
  sessions: Iterable<SessionDto>,
  find: string,
  now: number,
): readonly Group[] {
  const groups: Record<GroupName, SessionDto[]> = {
    waiting: [],
    away: [],
    active: [],
    earlier: [],
  };
  const wanted = find.trim().toLocaleLowerCase();
  for (const session of sessions) {
    if (wanted && !matches(session, wanted)) continue;
    groups[groupOf(session, now)].push(session);
  }
  return (Object.keys(groups) as GroupName[])
    .filter((name) => groups[name].length > 0)
    .map((name) => ({ name, sessions: groups[name].sort(pinnedThenNewest) }));
}

function groupOf(session: SessionDto, now: number): GroupName {
  if (session.pending > 0) return 'waiting';
  if (session.away > 0) return 'away';
  const idle = now - Date.parse(session.last_activity_at);
  return session.connected || idle < ACTIVE_MS ? 'active' : 'earlier';
}

function matches(session: SessionDto, wanted: string): boolean {
  return [session.title, session.agent, session.folder, session.branch].some((text) =>
    text?.toLocaleLowerCase().includes(wanted),
  );
}

function pinnedThenNewest(a: SessionDto, b: SessionDto): number {
  if (a.pinned !== b.pinned) return a.pinned ? -1 : 1;
  return Date.parse(b.last_activity_at) - Date.parse(a.last_activity_at);
}

/** Most urgent first: what expires soonest, then the oldest; agents that are away come last. */
export function byUrgency(batches: Iterable<BatchDto>): readonly BatchDto[] {
  return [...batches].sort(
    (a, b) =>
      Number(a.away) - Number(b.away) || deadlineOf(a) - deadlineOf(b) || a.number - b.number,
  );
}

function deadlineOf(batch: BatchDto): number {
  return batch.deadline ? Date.parse(batch.deadline) : Number.MAX_SAFE_INTEGER;
}

/** The last part of a path, whichever way its separators lean. */
export function folderName(folder: string | null): string | null {
  return folder?.split(/[\\/]+/).findLast((part) => part.length > 0) ?? folder;
}
