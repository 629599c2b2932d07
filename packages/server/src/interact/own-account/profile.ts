/** /account/profile: a person changes their profile. */
import { type Profile, type ProfileField, profileFields } from '@grantor/authority'
import type { Form } from '@grantor/protocol/oauth'
import { profilePage, type ProfileData } from '../../pages/account/profile.ts'
import { accountForm } from './account-form.ts'
import { type AccountRequest, accountRoute } from '../account.ts'
import { showPage } from '../page-answer.ts'

/** The shown values are sent along, so that fields left unchanged do not overwrite changes made in another window. */
const shownField = (name: ProfileField): string => `shown_${name}`

export const profile = accountRoute({
  section: 'profile',
  show(request) {
    const held = request.browser.account.profile(request.account)
    return showProfile(request, { profile: held, shown: held, wrong: null })
  },
  async act(request) {
    const { browser, visit, account } = request
    const { form } = visit
    const changed = profileFields.filter((name) => form.get(name) !== form.get(shownField(name)))
    const outcome = await browser.account.changeProfile(account, profileIn(form, changed), visit.visitor)
    if (outcome === 'saved') return 'profile_saved'
    const profile = profileIn(form, profileFields) as Profile
    const shown = profileIn(form, profileFields, shownField) as Profile
    return showProfile(request, { profile, shown, wrong: outcome === 'outrun' ? outcome : outcome.wrong })
  },
})

const profileIn = (form: Form, names: readonly ProfileField[], fieldOf = (name: ProfileField): string => name) =>
  Object.fromEntries(names.map((name) => [name, form.get(fieldOf(name)) ?? ''])) as Partial<Profile>

type ShownProfile = Pick<ProfileData, 'profile' | 'wrong'> & { readonly shown: Profile }

function showProfile(request: AccountRequest, { shown, ...it }: ShownProfile) {
  const form = accountForm(request, '/account/profile')
  const before = profileFields.map((name) => [shownField(name), shown[name]] as const)
  const hidden = { ...form.hidden, ...Object.fromEntries(before) }
  const page = profilePage(request.pageContext, { ...it, form: { ...form, hidden } })
  return showPage(request, page, { status: it.wrong === null ? 200 : 400 })
}
