/** `grantor user list` */
import type { Person } from '@grantor/protocol/people'
import { personDocument } from '../../documents/person.ts'
import { done, adminFailure } from '../../program/exit.ts'
import { withTenant } from '../../program/deployment.ts'
import type { Command } from '../../program/command.ts'

const page = 500

export const userList: Command = {
  name: 'list',
  description: 'list the people of a tenant',
  tenant: true,
  run: (context) =>
    withTenant(context, async ({ authority }) => {
      const people: Person[] = []
      for (let after: string | null = null; ;) {
        const read = await authority.admin.users.list(context.tenant, { after, limit: page })
        if (!read.ok) return adminFailure(read.refusal)
        people.push(...read.value)
        after = read.value.at(-1)?.id ?? null
        if (read.value.length < page) break
      }
      await context.out.list(people.map(personDocument), {
        columns: ['USERNAME', 'NAME', 'EMAIL', 'STATE'],
        rows: people.map(({ username, claims, disabledAt }) => [
          username,
          textClaim(claims['name']),
          textClaim(claims['email']),
          disabledAt === null ? 'active' : 'disabled',
        ]),
        empty: 'nobody yet; `grantor user create` makes an account',
      })
      return done
    }),
}

const textClaim = (value: unknown): string | null => (typeof value === 'string' ? value : null)
