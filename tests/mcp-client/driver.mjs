// An agent made of an official SDK. Its one argument is JSON:
//   {"sdk": "1" | "2", "command": …, "args": […], "name": …, "roots": […]?}
// Then it takes commands and reports what comes of them, a line of JSON each:
//   {"list": true}                                      → {"tools": […]}
//   {"call": 1, "name": …, "arguments": …, "progress": true?, "timeout": ms?}
//                                   → {"progressed": 1, …}*, then {"result": 1, …} or {"error": 1, …}
//   {"cancel": 1}
// It leaves when its input ends.

import { createInterface } from 'node:readline';

const asked = JSON.parse(process.argv[2]);

function report(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** The two generations of the SDK differ in where things are and in two calls. */
async function sdk() {
  const info = { name: asked.name, version: '1.0.0' };
  const capabilities = asked.roots ? { roots: {} } : {};
  const roots = () => ({ roots: asked.roots.map((uri) => ({ uri })) });
  if (asked.sdk === '2') {
    const { Client } = await import('@modelcontextprotocol/client');
    const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
    // A subclass probes over the connection itself instead of a process of its own.
    class OneProcess extends StdioClientTransport {}
    const client = new Client(info, { capabilities, versionNegotiation: { mode: 'auto' } });
    if (asked.roots) client.setRequestHandler('roots/list', roots);
    const call = (params, options) => client.callTool(params, options);
    return { client, Transport: OneProcess, call };
  }
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  const { ListRootsRequestSchema } = await import('@modelcontextprotocol/sdk/types.js');
  const client = new Client(info, { capabilities });
  if (asked.roots) client.setRequestHandler(ListRootsRequestSchema, roots);
  const call = (params, options) => client.callTool(params, undefined, options);
  return { client, Transport: StdioClientTransport, call };
}

const { client, Transport, call } = await sdk();
const calls = new Map();
client.onerror = (error) => report({ complaint: error.message });
await client.connect(
  new Transport({ command: asked.command, args: asked.args, env: process.env, stderr: 'inherit' }),
);
report({ connected: client.getServerVersion() });

async function run(command) {
  const id = command.call;
  const aborter = new AbortController();
  calls.set(id, aborter);
  const options = { signal: aborter.signal };
  if (command.timeout) options.timeout = command.timeout;
  if (command.progress) options.onprogress = (progress) => report({ progressed: id, ...progress });
  try {
    const params = { name: command.name, arguments: command.arguments };
    report({ result: id, ...(await call(params, options)) });
  } catch (error) {
    report({ error: id, message: error.message });
  } finally {
    calls.delete(id);
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  if (command.list) report(await client.listTools());
  else if (command.cancel) calls.get(command.cancel)?.abort('the test says so');
  else run(command);
}
await client.close();
