//! Shared fixtures for the tests of the whole product.

pub mod agent;
pub mod asker;
#[cfg(all(unix, not(target_os = "macos")))]
pub mod desktop;
pub mod home;
pub mod http;
#[cfg(all(unix, not(target_os = "macos")))]
pub mod notices;
#[cfg(all(unix, not(target_os = "macos")))]
pub mod notification_server;
pub mod person;
pub mod random;
pub mod sdk_agent;
#[cfg(all(unix, not(target_os = "macos")))]
pub mod session_bus;
pub mod until;
