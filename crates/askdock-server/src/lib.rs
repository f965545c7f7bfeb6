//! HTTP over the Unix socket: authentication, scopes, guards, events.
