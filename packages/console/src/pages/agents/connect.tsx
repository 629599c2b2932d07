/** Cards to copy from: how each known MCP client is told of a server that is protected here. */
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { readPage } from '../../api/lists.ts'
import { useConsole } from '../../app/console-context.ts'
import { useGo, useSearchParams } from '../../app/link.tsx'
import { useTyped } from '../../app/use-typed.ts'
import { agents } from '../../messages/agents.ts'
import { Code } from '../../ui/code.tsx'
import { Card } from '../../ui/content.tsx'
import { given, TextField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { isServerAddress, type KnownClient, knownClients, type McpServer, serverName } from './known-clients.ts'

const example = 'https://mcp.example.com/mcp'

interface Typed {
  readonly url: string | undefined
  readonly name: string | undefined
}

/** What is empty is not in the address. */
const isSameServer = (one: Typed, other: Typed): boolean =>
  (one.url ?? '') === (other.url ?? '') && (one.name ?? '') === (other.name ?? '')

export function Connect() {
  const say = useSay()
  const go = useGo()
  const id = useId()
  const resources = useResources()
  const search = useSearchParams()
  const [typed, setTyped] = useTyped<Typed>(
    { url: search['url'], name: search['name'] },
    (next) => go({ to: '/agents', search: { ...next }, replace: true }),
    isSameServer,
  )
  const { url = resources[0]?.identifier ?? example, name } = typed
  const chosen = name ?? serverName(resources.find(({ identifier }) => identifier === url)?.name ?? hostOf(url))
  const isAddress = isServerAddress(url)
  const server = { name: serverName(chosen), url: isAddress ? url : example }
  return (
    <div className="stack">
      <Card title={say(agents.server)} text={say(agents.serverText)}>
        <div className="form-grid">
          <TextField
            label={say(agents.address)}
            hint={say(agents.addressHint)}
            list={`${id}-resources`}
            type="url"
            value={url}
            onChange={(next) => setTyped({ ...typed, url: next })}
            {...given({ fault: isAddress ? undefined : say(agents.addressFault) })}
          />
          <TextField label={say(agents.name)} value={chosen} onChange={(next) => setTyped({ ...typed, name: next })} />
          <datalist id={`${id}-resources`}>
            {resources.map(({ identifier, name: title }) => (
              <option key={identifier} value={identifier}>
                {title ?? identifier}
              </option>
            ))}
          </datalist>
        </div>
      </Card>
      <div className="columns">
        {knownClients.map((client) => (
          <ClientCard key={client.title} client={client} server={server} />
        ))}
      </div>
    </div>
  )
}

function ClientCard({ client, server }: { readonly client: KnownClient; readonly server: McpServer }) {
  const say = useSay()
  const where = 'file' in client.where ? say(agents.inFile, { file: client.where.file }) : say(client.where)
  return (
    <Card title={client.title} text={where}>
      <Code text={client.text(server)} label={client.title} />
    </Card>
  )
}

/** The APIs whose identifier is an address that an MCP server may have. */
function useResources(): readonly { readonly identifier: string; readonly name?: string }[] {
  const { api, session } = useConsole()
  const { data } = useQuery({
    queryKey: ['/v1/resources', 'addresses'],
    queryFn: () => readPage(api, '/v1/resources', {}),
    enabled: session.may('admin:resources:read'),
  })
  return (data?.items ?? []).filter(({ identifier }) => isServerAddress(identifier))
}

const hostOf = (url: string): string => URL.parse(url)?.hostname.split('.')[0] ?? ''
