/** The flows of the playground: which steps there are, and the request of each, made of what came before. */
import { playground } from '../../messages/tools.ts'
import type { Words } from '../../messages/words.ts'
import { deviceGrant } from '../clients/kinds.ts'
import { type Metadata, metadataUrl, type PlainAnswer, type PlainRequest } from './http.ts'

export type FlowName = 'code' | 'machine' | 'device'
export type StepName =
  | 'discover'
  | 'authorize'
  | 'token'
  | 'machineToken'
  | 'deviceAsk'
  | 'deviceOpen'
  | 'devicePoll'
  | 'userinfo'
  | 'introspect'
  | 'revoke'

export interface PlaygroundInput {
  readonly clientId: string
  readonly secret: string
  readonly redirectUri: string
  readonly scope: string
  readonly resource: string
}

/** What a walk has brought so far. */
export interface Walk {
  readonly issuer: string
  readonly input: PlaygroundInput
  readonly verifier: string
  readonly challenge: string
  readonly state: string
  /** The address that the browser came back to, as it was pasted. */
  readonly back: string
  readonly answers: Readonly<Partial<Record<StepName, PlainAnswer>>>
}

/** A step sends a request, or leads a person to an address. */
export interface Step {
  readonly title: Words
  readonly text: Words
  /** Null as long as something before it is missing. */
  readonly request?: (walk: Walk) => PlainRequest | null
  readonly address?: (walk: Walk) => string | null
}

export const flows: Readonly<
  Record<FlowName, { readonly title: Words; readonly text: Words; readonly steps: readonly StepName[] }>
> = {
  code: {
    title: playground.code,
    text: playground.codeText,
    steps: ['discover', 'authorize', 'token', 'userinfo', 'revoke'],
  },
  machine: {
    title: playground.machine,
    text: playground.machineText,
    steps: ['discover', 'machineToken', 'introspect', 'revoke'],
  },
  device: {
    title: playground.device,
    text: playground.deviceText,
    steps: ['discover', 'deviceAsk', 'deviceOpen', 'devicePoll', 'revoke'],
  },
}

export const flowNames = Object.keys(flows) as readonly FlowName[]

/** A public client names itself in the form, another one proves itself. */
function asClient(
  { clientId, secret }: PlaygroundInput,
  form: Readonly<Record<string, string>>,
): Partial<PlainRequest> {
  const given = Object.fromEntries(Object.entries(form).filter(([, value]) => value !== ''))
  return secret === '' ? { form: { ...given, client_id: clientId } } : { form: given, user: { id: clientId, secret } }
}

const text = (answer: PlainAnswer | undefined, name: string): string | null => {
  const value = answer?.json?.[name]
  return typeof value === 'string' ? value : null
}

const endpoint = ({ answers }: Walk, name: string): string | null =>
  ((answers.discover?.json ?? {}) as Metadata)[name] ?? null

const post = (walk: Walk, at: string, form: Readonly<Record<string, string>>): PlainRequest | null => {
  const url = endpoint(walk, at)
  return url === null || walk.input.clientId === '' ? null : { method: 'POST', url, ...asClient(walk.input, form) }
}

export const issuedToken = ({ answers }: Walk): string | null =>
  text(answers.token ?? answers.machineToken ?? answers.devicePoll, 'access_token')

export interface ReturnAddress {
  readonly code: string | null
  readonly error: string | null
  readonly isOfThisWalk: boolean
}

/** Null where nothing was pasted, or no address. */
export function returnOf({ back, state }: Pick<Walk, 'back' | 'state'>): ReturnAddress | null {
  const url = URL.parse(back.trim())
  if (url === null) return back.trim() === '' ? null : { code: null, error: null, isOfThisWalk: true }
  const code = url.searchParams.get('code')
  return { code, error: url.searchParams.get('error'), isOfThisWalk: url.searchParams.get('state') === state }
}

const codeOf = (walk: Walk): string | null => {
  const found = returnOf(walk)
  return found === null || !found.isOfThisWalk ? null : found.code
}

export const steps: Readonly<Record<StepName, Step>> = {
  discover: {
    title: playground.discover,
    text: playground.discoverText,
    request: ({ issuer }) => ({ method: 'GET', url: metadataUrl(issuer) }),
  },
  authorize: {
    title: playground.authorize,
    text: playground.authorizeText,
    address(walk) {
      const at = endpoint(walk, 'authorization_endpoint')
      const { clientId, redirectUri, scope, resource } = walk.input
      if (at === null || clientId === '') return null
      return `${at}?${new URLSearchParams({
        client_id: clientId,
        response_type: 'code',
        redirect_uri: redirectUri,
        scope,
        ...(resource === '' ? {} : { resource }),
        state: walk.state,
        code_challenge: walk.challenge,
        code_challenge_method: 'S256',
      }).toString()}`
    },
  },
  token: {
    title: playground.token,
    text: playground.tokenText,
    request(walk) {
      const code = codeOf(walk)
      const { redirectUri, resource } = walk.input
      const form = {
        grant_type: 'authorization_code',
        code: code ?? '',
        redirect_uri: redirectUri,
        code_verifier: walk.verifier,
        resource,
      }
      return code === null ? null : post(walk, 'token_endpoint', form)
    },
  },
  machineToken: {
    title: playground.machineToken,
    text: playground.machineTokenText,
    request: (walk) =>
      post(walk, 'token_endpoint', {
        grant_type: 'client_credentials',
        scope: walk.input.scope,
        resource: walk.input.resource,
      }),
  },
  deviceAsk: {
    title: playground.deviceAsk,
    text: playground.deviceAskText,
    request: (walk) =>
      post(walk, 'device_authorization_endpoint', { scope: walk.input.scope, resource: walk.input.resource }),
  },
  deviceOpen: {
    title: playground.deviceOpen,
    text: playground.deviceOpenText,
    address: ({ answers }) =>
      text(answers.deviceAsk, 'verification_uri_complete') ?? text(answers.deviceAsk, 'verification_uri'),
  },
  devicePoll: {
    title: playground.devicePoll,
    text: playground.devicePollText,
    request(walk) {
      const code = text(walk.answers.deviceAsk, 'device_code')
      return code === null ? null : post(walk, 'token_endpoint', { grant_type: deviceGrant, device_code: code })
    },
  },
  userinfo: {
    title: playground.userinfo,
    text: playground.userinfoText,
    request(walk) {
      const [url, token] = [endpoint(walk, 'userinfo_endpoint'), issuedToken(walk)]
      return url === null || token === null
        ? null
        : { method: 'GET', url, headers: { Authorization: `Bearer ${token}` } }
    },
  },
  introspect: {
    title: playground.introspect,
    text: playground.introspectText,
    request: (walk) => ofToken(walk, 'introspection_endpoint'),
  },
  revoke: {
    title: playground.revoke,
    text: playground.revokeText,
    request: (walk) => ofToken(walk, 'revocation_endpoint'),
  },
}

function ofToken(walk: Walk, at: string): PlainRequest | null {
  const token = issuedToken(walk)
  return token === null ? null : post(walk, at, { token })
}
