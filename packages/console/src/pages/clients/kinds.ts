/** What people build, and the metadata that each kind begins with (RFC 7591). The wizard and the list both read this table. */
import type { Schemas } from '../../api/client.ts'
import type { Words } from '../../messages/words.ts'
import { wizard } from '../../messages/clients.ts'
import type { IconName } from '../../ui/icon.tsx'

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** The server says which of them a client is. */
export type KindName = Schemas['Clients']['kind']

export interface ClientKind {
  readonly title: Words
  readonly text: Words
  readonly icon: IconName
  /** An address to begin with; null where nobody is sent back. */
  readonly redirect: string | null
  readonly scope: string
  readonly metadata: {
    readonly application_type?: 'web' | 'native'
    readonly grant_types: readonly string[]
    readonly response_types: readonly string[]
    readonly token_endpoint_auth_method: string
  }
}

const signsIn = { response_types: ['code'], grant_types: ['authorization_code', 'refresh_token'] } as const

export const kinds: Readonly<Record<KindName, ClientKind>> = {
  web: {
    title: wizard.web,
    text: wizard.webText,
    icon: 'web',
    redirect: 'https://app.example.com/callback',
    scope: 'openid profile offline_access',
    metadata: { ...signsIn, application_type: 'web', token_endpoint_auth_method: 'client_secret_basic' },
  },
  spa: {
    title: wizard.spa,
    text: wizard.spaText,
    icon: 'session',
    redirect: 'https://app.example.com/callback',
    scope: 'openid profile',
    metadata: { ...signsIn, application_type: 'web', token_endpoint_auth_method: 'none' },
  },
  native: {
    title: wizard.native,
    text: wizard.nativeText,
    icon: 'phone',
    redirect: 'http://127.0.0.1/callback',
    scope: 'openid profile offline_access',
    metadata: { ...signsIn, application_type: 'native', token_endpoint_auth_method: 'none' },
  },
  device: {
    title: wizard.device,
    text: wizard.deviceText,
    icon: 'tv',
    redirect: null,
    scope: 'openid profile offline_access',
    metadata: {
      application_type: 'native',
      grant_types: [deviceGrant, 'refresh_token'],
      response_types: [],
      token_endpoint_auth_method: 'none',
    },
  },
  machine: {
    title: wizard.machine,
    text: wizard.machineText,
    icon: 'machine',
    redirect: null,
    scope: '',
    metadata: {
      grant_types: ['client_credentials'],
      response_types: [],
      token_endpoint_auth_method: 'client_secret_basic',
    },
  },
  mcp: {
    title: wizard.mcp,
    text: wizard.mcpText,
    icon: 'agent',
    redirect: null,
    scope: 'revocations:read',
    metadata: {
      grant_types: ['client_credentials'],
      response_types: [],
      token_endpoint_auth_method: 'client_secret_basic',
    },
  },
}

export const kindNames = Object.keys(kinds) as readonly KindName[]
