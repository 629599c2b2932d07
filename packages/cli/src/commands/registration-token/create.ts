/** `grantor registration-token create` */
import { timestampOrNull } from '../../output/time.ts'
import { type Command, countOption, textOption } from '../../program/command.ts'
import { withTenant } from '../../program/deployment.ts'
import { durationForms, secondsIn } from '../../program/duration.ts'
import { adminFailure, done, failure } from '../../program/exit.ts'
import { operator } from '../../program/operator.ts'

export const registrationTokenCreate: Command = {
  name: 'create',
  description: 'make a token that lets somebody register clients, shown once',
  options: [
    { flag: '--uses', takes: 'count', placeholder: 'n', description: 'how many clients (default: any number)' },
    {
      flag: '--expires',
      takes: 'text',
      placeholder: 'duration',
      description: 'how long, such as 24h or 30d (default: for ever)',
    },
  ],
  tenant: true,
  run: (context) =>
    withTenant(context, async ({ authority }) => {
      const duration = textOption(context, '--expires')
      const expiresIn = duration === undefined ? null : secondsIn(duration)
      if (expiresIn === undefined) {
        return failure('invalid', `--expires ${duration} is no duration`, { fix: durationForms })
      }
      const input = { uses: countOption(context, '--uses') ?? null, expiresIn }
      const created = await authority.admin.registrationTokens.create(operator(), context.tenant, input)
      if (created.kind === 'error') return adminFailure(created.error)
      const { id, token, usesLeft, expiresAt } = created.value
      await context.out.record({ id, token, uses_left: usesLeft, expires_at: timestampOrNull(expiresAt) }, [
        ['id', id],
        ['token', token],
        ['uses', usesLeft ?? 'any number'],
        ['expires', timestampOrNull(expiresAt) ?? 'never'],
      ])
      await context.out.remark('The token is shown this once; only its hash is kept.')
      return done
    }),
}
