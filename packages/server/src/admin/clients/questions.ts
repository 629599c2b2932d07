/** Read-only actions on a client: whether a redirect URI would be accepted, and what its tokens would contain. */
import type { ActionPlan } from '@grantor/api'
import type { Authority } from '@grantor/authority'
import { formatScope } from '@grantor/protocol/oauth'
import { Type } from 'typebox'
import { adminProblem } from '../admin-problem.ts'
import type { ClientDocument } from '../client.ts'
import { tenantOf } from '../fields.ts'

export const previewToken = ({ clients }: Authority['admin']): ActionPlan<ClientDocument> => ({
  on: 'item',
  // `admin:users:read`, because the preview shows claims of a person, also whether they are an administrator.
  scope: { all: ['admin:clients:read', 'admin:users:read'] },
  summary: 'Show what the tokens of the client would say, for a person or for itself; none is issued',
  body: Type.Object({
    subject: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'The id of a person' })),
    scope: Type.Optional(Type.String({ maxLength: 4096, description: 'All it is registered for where left out' })),
    resource: Type.Optional(Type.String({ maxLength: 2048, description: 'The API it would be for' })),
  }),
  example: { subject: '0192f0c4-0000-7c3d-8e4f-5a6b7c8d9e0f', scope: 'openid profile' },
  async run(
    {
      subject = null,
      scope = null,
      resource = null,
    }: { readonly subject?: string | null; readonly scope?: string | null; readonly resource?: string | null },
    context,
    entry,
  ) {
    const request = { clientId: entry?.value.id ?? '', subject, scope, resource }
    const shown = await clients.preview(tenantOf(context), request)
    if (shown.kind === 'error') return adminProblem(shown.error)
    const { format, typ, claims, signIn, steps, leftOut } = shown.value
    const signedIn = signIn === null ? {} : { id_token: signIn.idToken, userinfo: signIn.userinfo }
    const chain = steps.map(({ step, scope: left, unanswered }) => ({
      step,
      scope: formatScope(left),
      ...(unanswered === undefined ? {} : { unanswered: formatScope(unanswered) }),
    }))
    return { format, typ, claims, ...signedIn, steps: chain, left_out: leftOut.map((it) => ({ ...it })) }
  },
})

export const matchRedirectUri = ({ clients }: Authority['admin']): ActionPlan<ClientDocument> => ({
  on: 'item',
  scope: 'admin:clients:read',
  summary: 'Say whether a redirect URI would be taken in an authorization request of the client',
  body: Type.Object({ redirect_uri: Type.String({ minLength: 1, maxLength: 2048 }) }),
  example: { redirect_uri: 'https://client.example/cb' },
  async run({ redirect_uri: redirectUri }: { readonly redirect_uri: string }, context, entry) {
    const of = { clientId: entry?.value.id ?? '', redirectUri }
    const found = await clients.matchRedirect(tenantOf(context), of)
    if (found.kind === 'error') return adminProblem(found.error)
    const { registered, outdated } = found.value
    return { matches: registered !== null, ...(registered === null ? {} : { registered }), outdated }
  },
})
