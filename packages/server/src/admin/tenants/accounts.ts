/** A tenant's rules for the accounts of its people, as the API shows them. */
import { type AccountPolicy, longestTermsVersion } from '@grantor/protocol/people'
import { type Static, Type } from 'typebox'

export const AccountsSchema = Type.Object(
  {
    sign_up: Type.Optional(Type.Boolean({ description: 'Whether people make accounts themselves, at /sign-up' })),
    sign_up_domains: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
        minItems: 1,
        maxItems: 100,
        description: 'Whose addresses may; left out, all',
      }),
    ),
    sign_in_links: Type.Optional(
      Type.Boolean({ description: 'Whether people may sign in by a link that is mailed to them, at /sign-in-link' }),
    ),
    terms: Type.Optional(
      Type.Object(
        {
          version: Type.String({ minLength: 1, maxLength: longestTermsVersion }),
          url: Type.String({ minLength: 1, maxLength: 2000, description: 'Where people read them' }),
        },
        { additionalProperties: false, description: 'What everybody agrees to; another version is asked for anew' },
      ),
    ),
  },
  {
    additionalProperties: false,
    description: 'Who may make an account, how they sign in, and the terms they agree to',
  },
)

export const accountsOf = ({ sign_up_domains: domains, ...rest }: AccountPolicy): Static<typeof AccountsSchema> => ({
  ...rest,
  ...(domains === undefined ? {} : { sign_up_domains: [...domains] }),
})
