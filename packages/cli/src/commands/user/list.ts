/** `grantor user list` */
import type { Person } from '@grantor/protocol/people'
import { personDocument } from '../../documents/person.ts'
import type { Command } from '../../program/command.ts'
import { withTenant } from '../../program/deployment.ts'
import { done } from '../../program/exit.ts'
import { readAllPages } from '../../program/pages.ts'

export const userList: Command = {
  name: 'list',
  description: 'list the people of a tenant',
  tenant: true,
  run: (context) =>
    withTenant(context, async ({ authority }) => {
      const read = await readAllPages<Person>((page) => authority.admin.users.list(context.tenant, page))
      if (read.kind === 'error') return read
      const people = read.value
      await context.out.list(people.map(personDocument), {
        columns: ['USERNAME', 'NAME', 'EMAIL', 'ADMINISTRATOR', 'STATE'],
        rows: people.map(({ username, claims, administrator, disabledAt }) => [
          username,
          textClaim(claims['name']),
          textClaim(claims['email']),
          administrator,
          disabledAt === null ? 'active' : 'disabled',
        ]),
        empty: 'nobody yet; `grantor user create` makes an account',
      })
      return done
    }),
}

const textClaim = (value: unknown): string | null => (typeof value === 'string' ? value : null)
