/** A person's sign-in methods: /v1/users/{id}/sign-in-methods, and the removal of one. */
import type { ActionPlan, ViewPlan } from '@grantor/api'
import { type Authority, type MethodRemoval, removableMethods, type SignInMethodRecord } from '@grantor/authority'
import { problem } from '@grantor/protocol/http'
import { err, ok } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import { jsonResponse } from '@grantor/resource/http'
import { Type } from 'typebox'
import { actorOf, adminProblem } from '../admin-problem.ts'
import { agentMembers, iso, isoIf, tenantOf } from '../fields.ts'
import type { UserDocument } from '../user.ts'

type Admin = Authority['admin']

/** Contains no secrets, public keys or cookies. */
const methodsDocument = (of: SignInMethodRecord): JsonObject => ({
  password:
    of.password === null
      ? null
      : { must_change: of.password.mustChange, ...isoIf('changed_at', of.password.changedAt) },
  passkeys: of.passkeys.map(({ id, name, synced, createdAt, lastUsedAt }) => ({
    id,
    name,
    synced,
    created_at: iso(createdAt),
    ...isoIf('last_used_at', lastUsedAt),
  })),
  totp: of.totp === null ? null : { created_at: iso(of.totp.createdAt), ...isoIf('last_used_at', of.totp.lastUsedAt) },
  recovery_codes: of.recoveryCodes,
  providers: of.linked.map(({ provider, issuer, createdAt }) => ({
    id: provider,
    issuer,
    created_at: iso(createdAt),
  })),
  remembered_browsers: of.browsers.map(({ id, userAgent, createdAt, expiresAt }) => ({
    id,
    ...agentMembers(userAgent),
    created_at: iso(createdAt),
    expires_at: iso(expiresAt),
  })),
})

export const signInMethods = ({ users }: Admin): ViewPlan => ({
  summary:
    'What they sign in with: password, passkeys, authenticator app, recovery codes left, linked providers, remembered browsers',
  async show(id, context) {
    const found = await users.signInMethods(tenantOf(context), id)
    if (found.kind === 'error') return err(adminProblem(found.error))
    return ok(jsonResponse(200, methodsDocument(found.value), { 'cache-control': 'no-store' }))
  },
})

export const removeSignInMethod = ({ users }: Admin): ActionPlan<UserDocument> => ({
  on: 'item',
  scope: 'admin:users:write',
  summary: 'Remove one sign-in method; with the password every session ends',
  body: Type.Object({
    method: Type.Enum([...removableMethods]),
    id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2048, description: 'Which passkey, remembered browser or provider' }),
    ),
  }),
  example: { method: 'totp' },
  async run({ method, id }: { readonly method: MethodRemoval['method']; readonly id?: string }, context, entry) {
    const several = method === 'passkey' || method === 'remembered_browser' || method === 'provider'
    if (several !== (id !== undefined))
      return problem('validation-error', 'Which one is not said, or said where there is only one.', {
        errors: [{ pointer: '#/id', code: 'invalid', detail: several ? 'is needed' : 'must be left out' }],
      })
    const removal = { subject: entry?.value.id ?? '', method, which: id ?? '' }
    const done = await users.removeSignInMethod(actorOf(context.caller), tenantOf(context), removal)
    return done.kind === 'ok' ? null : adminProblem(done.error)
  },
})
