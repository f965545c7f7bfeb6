-- Times are milliseconds since the Unix epoch, UTC. JSON columns hold the wire's field names.

CREATE TABLE sessions (
    id               TEXT PRIMARY KEY,
    identity         TEXT NOT NULL UNIQUE, -- the client's conversation id, else agent and folder
    title            TEXT NOT NULL,
    agent            TEXT NOT NULL,
    folder           TEXT,
    branch           TEXT,
    parent           TEXT,
    secret           TEXT NOT NULL,
    created_at       INTEGER NOT NULL,
    last_activity_at INTEGER NOT NULL,
    pinned           INTEGER NOT NULL DEFAULT 0,
    archived         INTEGER NOT NULL DEFAULT 0,
    composer         TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE turns (
    session   TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    id        TEXT NOT NULL,
    state     TEXT NOT NULL,
    opened_at INTEGER NOT NULL,
    deadline  INTEGER,
    PRIMARY KEY (session, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE batches (
    number         INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused
    id             TEXT NOT NULL UNIQUE,
    session        TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    turn           TEXT,
    teammate       TEXT,
    origin_pid     INTEGER,
    origin_program TEXT,
    dialect        TEXT NOT NULL,
    source         TEXT NOT NULL, -- what the caller sent
    content        TEXT NOT NULL, -- what is shown, JSON
    content_hash   TEXT NOT NULL,
    warnings       TEXT NOT NULL, -- JSON
    asked_at       INTEGER NOT NULL,
    deadline       INTEGER,
    lease_since    INTEGER,
    lease_until    INTEGER,
    lease_used     INTEGER NOT NULL DEFAULT 0,
    not_before     INTEGER,
    detached_since INTEGER,
    delivered_at   INTEGER,
    end_kind       TEXT CHECK (end_kind IN ('answered', 'dismissed', 'expired', 'cancelled')),
    end_reason     TEXT,
    ended_at       INTEGER,
    responder_kind TEXT,
    responder_id   TEXT,
    responder_via  TEXT,
    answer_id      TEXT,
    fingerprint    TEXT,
    result         TEXT, -- answers, message, partial and the answering process, JSON
    CHECK ((end_kind IS NULL) = (ended_at IS NULL))
) STRICT;

CREATE INDEX batches_pending ON batches (number) WHERE end_kind IS NULL;
CREATE INDEX batches_of_session ON batches (session, number);
CREATE INDEX batches_pending_of_session ON batches (session, detached_since) WHERE end_kind IS NULL;
CREATE INDEX batches_ended_of_session ON batches (session) WHERE end_kind IS NOT NULL;

-- Keys under which an ask is found again. Explicit ones are scoped to session and turn.
CREATE TABLE ask_keys (
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    scope   TEXT NOT NULL, -- 'request:' and the turn, or 'derived'
    key     TEXT NOT NULL,
    batch   INTEGER NOT NULL REFERENCES batches (number) ON DELETE CASCADE,
    PRIMARY KEY (session, scope, key, batch)
) STRICT, WITHOUT ROWID;

CREATE INDEX ask_keys_of_batch ON ask_keys (batch);

CREATE TABLE drafts (
    batch    INTEGER PRIMARY KEY REFERENCES batches (number) ON DELETE CASCADE,
    rev      INTEGER NOT NULL,
    body     TEXT NOT NULL, -- JSON
    saved_at INTEGER NOT NULL
) STRICT;

CREATE TABLE messages (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    session      TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    author       TEXT NOT NULL CHECK (author IN ('person', 'agent', 'system')),
    text         TEXT NOT NULL,
    posted_at    INTEGER NOT NULL,
    delivered_at INTEGER,
    key          TEXT,
    UNIQUE (session, key)
) STRICT;

CREATE INDEX messages_of_session ON messages (session, id);

CREATE TABLE settings (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL -- JSON
) STRICT, WITHOUT ROWID;

-- What changed, in commit order; the entity is read when the event is sent.
CREATE TABLE events (
    seq    INTEGER PRIMARY KEY AUTOINCREMENT,
    entity TEXT NOT NULL,
    ref    TEXT NOT NULL
) STRICT;

-- Where a notice is shown, so that a restarted hub replaces it instead of showing a second one.
CREATE TABLE notices (
    key    TEXT PRIMARY KEY,
    server TEXT NOT NULL,
    id     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
