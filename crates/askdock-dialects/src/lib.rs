//! Reads what models send and writes the outcome back in the caller's own format.
