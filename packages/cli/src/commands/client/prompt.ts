/** Asks a person what they are building, and derives a client from the answers. */
import type { ClientMetadata } from '@grantor/protocol/registration'
import { inField } from '../../program/exit.ts'
import type { CreateClientInput } from './input.ts'

interface ClientKind {
  readonly value: string
  readonly label: string
  readonly hint: string
  readonly redirects: boolean
  readonly metadata: Partial<ClientMetadata>
}

const codeFlow = ['authorization_code', 'refresh_token']

const kinds: readonly ClientKind[] = [
  {
    value: 'service',
    label: 'A service',
    hint: 'talks to an API on its own behalf, no person involved',
    redirects: false,
    metadata: {
      grant_types: ['client_credentials'],
      response_types: [],
      token_endpoint_auth_method: 'client_secret_basic',
    },
  },
  {
    value: 'web',
    label: 'A web application',
    hint: 'has a server that can keep a secret',
    redirects: true,
    metadata: { grant_types: codeFlow, token_endpoint_auth_method: 'client_secret_basic', application_type: 'web' },
  },
  {
    value: 'browser',
    label: 'A single-page application',
    hint: 'runs in the browser, has no secret',
    redirects: true,
    metadata: { grant_types: codeFlow, token_endpoint_auth_method: 'none', application_type: 'web' },
  },
  {
    value: 'native',
    label: 'A native or command line application',
    hint: 'runs on its owner’s machine, has no secret',
    redirects: true,
    metadata: { grant_types: codeFlow, token_endpoint_auth_method: 'none', application_type: 'native' },
  },
  {
    value: 'device',
    label: 'A device without a browser',
    hint: 'shows a code that its owner types elsewhere',
    redirects: false,
    metadata: {
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
      response_types: [],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
  },
]

/** Null when the person cancels. */
export async function promptForClient(id: string): Promise<CreateClientInput | null> {
  const { select, text } = await import('@clack/prompts')
  const picked = await select({
    message: 'What are you building?',
    options: kinds.map(({ value, label, hint }) => ({ value, label, hint })),
  })
  const kind = kinds.find(({ value }) => value === picked)
  if (kind === undefined) return null
  const name = await text({ message: 'What is it called?', placeholder: 'people see this name', defaultValue: '' })
  if (typeof name !== 'string') return null
  const redirects = kind.redirects
    ? await text({ message: 'Where may codes be delivered?', placeholder: 'redirect URIs, separated by spaces' })
    : ''
  if (typeof redirects !== 'string') return null
  const scope = await text({
    message: 'Which scopes may it ask for?',
    placeholder: 'separated by spaces',
    defaultValue: '',
  })
  if (typeof scope !== 'string') return null
  return {
    id: id === '' ? undefined : id,
    secret: undefined,
    metadata: {
      ...kind.metadata,
      ...(name === '' ? {} : { client_name: name }),
      ...(kind.redirects ? { redirect_uris: words(redirects) } : {}),
      ...(scope === '' ? {} : { scope: words(scope).join(' ') }),
    },
    locate: inField,
  }
}

const words = (text: string): readonly string[] => text.split(/[\s,]+/).filter((word) => word !== '')
