//! Shared fixtures for the tests of the whole product.

#[cfg(all(unix, not(target_os = "macos")))]
pub mod desktop;
pub mod home;
#[cfg(all(unix, not(target_os = "macos")))]
pub mod notification_server;
#[cfg(all(unix, not(target_os = "macos")))]
pub mod session_bus;
