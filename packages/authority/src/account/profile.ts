/** A person changes their own claims, which apps may be given. */
import { displayTextProblem, textLimits } from '@grantor/protocol/oauth'
import type { JsonObject } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { type EventDependencies, newEvent } from '../events.ts'
import type { Account, Visitor } from '../interact/visitor.ts'

/** The claims by their names of OIDC Core §5.1, with the check of each value. An empty value removes the claim. */
const fields = {
  name: isReadable,
  given_name: isReadable,
  family_name: isReadable,
  // The private parts of a tag have no limit (RFC 5646 §2.2.7).
  locale: (text: string) => isReadable(text) && canBe(() => Intl.getCanonicalLocales(text)),
  zoneinfo: (text: string) => canBe(() => new Intl.DateTimeFormat('en', { timeZone: text })),
  picture: (text: string) => isReadable(text) && URL.parse(text)?.protocol === 'https:',
} as const

export type ProfileField = keyof typeof fields
export const profileFields = Object.freeze(Object.keys(fields)) as readonly ProfileField[]
export type Profile = Readonly<Record<ProfileField, string>>

function isReadable(text: string): boolean {
  return displayTextProblem(text, textLimits.claim) === null
}

function canBe(read: () => unknown): boolean {
  try {
    return read() !== undefined
  } catch {
    return false
  }
}

export interface ProfileDependencies extends EventDependencies {
  readonly store: Pick<Store, 'users'>
}

export const profileOf = ({ claims }: { readonly claims: JsonObject }): Profile =>
  Object.fromEntries(
    profileFields.map((name) => [name, typeof claims[name] === 'string' ? claims[name] : '']),
  ) as Profile

/** 'outrun': other changes of the account kept coming first. */
export type ProfileChange = 'saved' | 'outrun' | { readonly wrong: ProfileField }

const maxAttempts = 4

/** An omitted claim stays unchanged: another window may have changed it since it was shown here. */
export async function changeProfile(
  { person: { tenant, id } }: Account,
  changed: Partial<Profile>,
  visitor: Visitor,
  deps: ProfileDependencies,
): Promise<ProfileChange> {
  const sentFields = profileFields.flatMap((name) => {
    const value = changed[name]?.trim()
    return value === undefined ? [] : [[name, value] as const]
  })
  const wrong = sentFields.find(([name, value]) => value !== '' && !fields[name](value))
  if (wrong !== undefined) return { wrong: wrong[0] }
  const names = new Set<string>(sentFields.map(([name]) => name))
  const setFields = sentFields.filter(([, value]) => value !== '')
  const about = { actor: { kind: 'user' as const, id }, subject: id, reason: 'profile_changed' }
  for (let tries = 0; tries < maxAttempts; tries++) {
    const user = await deps.store.users.byId(tenant, id)
    if (user === null) return 'outrun'
    const others = Object.entries(user.claims).filter(([name]) => !names.has(name))
    const outcome = await deps.store.users.change({
      tenant,
      id,
      version: user.version,
      claims: Object.fromEntries([...others, ...setFields]),
      at: deps.clock.now(),
      events: [newEvent(deps, visitor, 'admin.user_changed', about)],
    })
    if (outcome === 'changed') return 'saved'
  }
  return 'outrun'
}
