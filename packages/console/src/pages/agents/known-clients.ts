/** MCP clients that people use, and what makes each of them know a server: a line, or a part of a file. */
import { agents } from '../../messages/agents.ts'
import type { Words } from '../../messages/words.ts'

export interface McpServer {
  readonly name: string
  readonly url: string
}

export interface KnownClient {
  readonly title: string
  /** Where the text belongs: a file by its name, or words on where to press. */
  readonly where: { readonly file: string } | Words
  readonly text: (server: McpServer) => string
}

const json = (value: unknown): string => JSON.stringify(value, null, 2)
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export const knownClients: readonly KnownClient[] = [
  {
    title: 'Claude Code',
    where: agents.onCommandLine,
    text: ({ name, url }) => `claude mcp add --transport http ${name} ${quoted(url)}`,
  },
  { title: 'Claude', where: agents.claudeSteps, text: ({ url }) => url },
  { title: 'ChatGPT', where: agents.chatgptSteps, text: ({ url }) => url },
  {
    title: 'Codex',
    where: agents.onCommandLine,
    text: ({ name, url }) => `codex mcp add ${name} --url ${quoted(url)}\ncodex mcp login ${name}`,
  },
  {
    title: 'VS Code',
    where: { file: '.vscode/mcp.json' },
    text: ({ name, url }) => json({ servers: { [name]: { type: 'http', url } } }),
  },
  {
    title: 'Cursor',
    where: { file: '.cursor/mcp.json' },
    text: ({ name, url }) => json({ mcpServers: { [name]: { url } } }),
  },
  {
    title: 'Zed',
    where: { file: 'settings.json' },
    text: ({ name, url }) => json({ context_servers: { [name]: { url } } }),
  },
  {
    title: 'MCP Inspector',
    where: agents.onCommandLine,
    text: ({ url }) => `npx @modelcontextprotocol/inspector --transport http --server-url ${quoted(url)}`,
  },
]

/** A word that all of them take as a name. */
export const serverName = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40) || 'server'

export const isServerAddress = (text: string): boolean => {
  const { protocol, hostname } = URL.parse(text) ?? { protocol: '', hostname: '' }
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
}
