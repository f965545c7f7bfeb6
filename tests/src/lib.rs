//! Shared fixtures for the tests of the whole product.
