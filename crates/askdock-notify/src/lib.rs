//! OS notifications behind the hub's Notifier port.
