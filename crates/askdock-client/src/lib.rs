//! Typed client: finds the hub, starts it, speaks to it.
