//! `kill -9` at random points of ask → notify → draft → answer → deliver: what was acknowledged
//! is there, nobody is asked twice, and whoever waits gets the answer once.

mod hub_killed;
mod mcp_killed;
