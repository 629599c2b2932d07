/** `grantor registration-token create` */
import { operator } from '../../program/operator.ts'
import { done, failure, refused } from '../../program/exit.ts'
import { withTenant } from '../../program/deployment.ts'
import { timestampOrNull } from '../../output/time.ts'
import { countOf, textOf, type Verb } from '../../program/command.ts'

const units = { s: 1, m: 60, h: 3600, d: 86_400 } as const

export const registrationTokenCreate: Verb = {
  name: 'create',
  says: 'make a token that lets somebody register clients, shown once',
  options: [
    { flag: '--uses', takes: 'count', placeholder: 'n', says: 'how many clients (default: any number)' },
    {
      flag: '--expires',
      takes: 'text',
      placeholder: 'duration',
      says: 'how long, such as 24h or 30d (default: for ever)',
    },
  ],
  tenant: true,
  run: (call) =>
    withTenant(call, async ({ authority }) => {
      const wished = textOf(call, '--expires')
      const expiresIn = wished === undefined ? null : secondsIn(wished)
      if (expiresIn === undefined) {
        return failure('invalid', `--expires ${wished} is no duration`, { fix: 'write 600s, 10m, 24h or 30d' })
      }
      const wish = { uses: countOf(call, '--uses') ?? null, expiresIn }
      const made = await authority.admin.registrationTokens.create(operator(), call.tenant, wish)
      if (!made.ok) return refused(made.refusal)
      const { id, token, usesLeft, expiresAt } = made.value
      await call.out.record({ id, token, uses_left: usesLeft, expires_at: timestampOrNull(expiresAt) }, [
        ['id', id],
        ['token', token],
        ['uses', usesLeft ?? 'any number'],
        ['expires', timestampOrNull(expiresAt) ?? 'never'],
      ])
      await call.out.remark('The token is shown this once; only its hash is kept.')
      return done
    }),
}

/** Undefined for what is no duration of a second or more. */
function secondsIn(text: string): number | undefined {
  const [, count = '', unit = 's'] = /^([1-9]\d{0,8})([smhd])?$/.exec(text) ?? []
  return count === '' ? undefined : Number(count) * units[unit as keyof typeof units]
}
