/** An MCP server of a few lines, made with the SDK and guarded by @grantor/resource: what docs/mcp.md shows. */
// #region server
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { type Caller, mcpCors, protectedResource, type Validator } from '@grantor/resource'
import { answerWith, bodyText, protectedListener } from '@grantor/resource/node'

const notes = new Map<string, string[]>()

/** One for each request, made for its caller. */
function notesServer({ subject }: Caller): McpServer {
  const mine = notes.get(subject) ?? []
  const server = new McpServer({ name: 'notes', version: '1.0.0' })
  const content = (text: string) => ({ content: [{ type: 'text' as const, text }] })
  server.registerTool('list_notes', { description: 'Your notes' }, () => content(mine.join('\n')))
  server.registerTool('add_note', { description: 'Writes a note' }, () => {
    notes.set(subject, [...mine, 'a note'])
    return content('written')
  })
  return server
}
// #endregion

// #region guard
/** What a tool needs beyond `notes:read`. */
const scopeOfTool: ReadonlyMap<string | undefined, string> = new Map([['add_note', 'notes:write']])

export function notesListener(validator: Validator, audience: string, issuer: string) {
  const resource = protectedResource({
    validator,
    audience,
    issuers: [issuer],
    name: 'Notes',
    scope: 'notes:read',
    scopes: ['notes:read', 'notes:write'],
    insufficientScopeStatus: 403,
    cors: mcpCors,
    methods: ['POST'],
  })
  return protectedListener(resource, async (request, response, caller) => {
    if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end()
    const message = parsed(await bodyText(request))
    if (message === null) return void response.writeHead(400).end()
    const need = message.method === 'tools/call' ? scopeOfTool.get(message.params?.name) : undefined
    const lacking = need === undefined ? null : resource.lacking(need, caller)
    if (lacking !== null) return answerWith(response, lacking)
    const transport = new StreamableHTTPServerTransport()
    await notesServer(caller).connect(transport)
    await transport.handleRequest(request, response, message)
  })
}

interface Message {
  readonly method?: string
  readonly params?: { readonly name?: string }
}

function parsed(text: string | null): Message | null {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}
// #endregion
