//! The MCP server of Askdock over the client.
